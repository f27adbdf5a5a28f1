import { delay } from "@std/async";

/**
 * Waits until a condition holds.
 *
 * @throws {Error} when it does not within a minute.
 */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!await condition()) {
    if (Date.now() > deadline) throw new Error(`After 60 s it is not so: ${condition}`);
    await delay(10);
  }
}

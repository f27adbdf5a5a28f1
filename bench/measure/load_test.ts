import { assertEquals } from "@std/assert";
import { advance } from "./load.ts";

Deno.test("advance() moves the cursor behind what was read, and behind the last line to the first", () => {
  const requests: Parameters<typeof advance>[0] = { lines: 100, nextLine: 40 };
  advance(requests, 40, 30);
  assertEquals(requests, { lines: 100, nextLine: 70 });
  advance(requests, 70, 50);
  assertEquals(requests, { lines: 100, nextLine: 20, isReadToEnd: true });
});

Deno.test("advance() moves the cursor behind the load that read more, of two that began together", () => {
  for (const used of [[30, 75], [75, 30]]) {
    const requests = { lines: 100, nextLine: 40 };
    for (const linesUsed of used) advance(requests, 40, linesUsed);
    assertEquals(requests.nextLine, 15);
  }
});

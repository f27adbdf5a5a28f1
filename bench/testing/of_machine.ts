/** What tests must not hold against a server: what else happens on the machine that they run on. */
import { assertEquals } from "@std/assert";
import { isValid, ownReasons } from "../results/outcome.ts";
import type { Ended, Place } from "./place.ts";

const ofMachine =
  /(\d+ of \d+ rounds( \(\d+ were planned\))? are left out, expected at most 25 %; the first: )?(other processes used|the hypervisor took|the machine swapped) [^;]*/g;

/** Returns the reasons why a load is invalid, without those that lie with the machine; "" if none is left. */
export function withoutMachine(reasons: string): string {
  return reasons.replaceAll(ofMachine, "").replaceAll(/^(; )+|(; )+$/g, "");
}

/** Tells whether all that is said of a load lies with the machine, where something else should have been said. */
export function isUntold(expected: RegExp, reasons: string): boolean {
  return reasons !== "" && !expected.test(reasons) && withoutMachine(reasons) === "";
}

/** Measures, and again while the machine may be why it did not show what it should: twice at most, as a run does. */
export async function measureAgainWhile<Measured>(
  mayBeOfMachine: (measured: Measured) => boolean,
  measure: () => Promise<Measured>,
): Promise<Measured> {
  let measured = await measure();
  for (let repeats = 0; repeats < 2 && mayBeOfMachine(measured); repeats++) {
    measured = await measure();
  }
  return measured;
}

/**
 * Asserts that the one run of a place has ended, with nothing that speaks against its implementations, and that the exit
 * code tells whether all is valid: what others did on the machine may have invalidated loads.
 */
export async function assertMeasured(place: Place, { code, stderr }: Ended): Promise<void> {
  const results = await place.readOnlyRun();
  const levels = results.flatMap((result) => result.levels);
  assertEquals(results.map(({ status }) => status), results.map(() => "complete"), stderr);
  assertEquals(levels.flatMap(ownReasons), [], stderr);
  assertEquals(code, levels.every(isValid) ? 0 : 1, stderr);
}

/** What an address of the page that compares any two asks for. */
import { assertEquals } from "@std/assert";
import { isWholeRun, pairUp, problemOf, readChoice, runLabel } from "../assets/compare_choice.js";
import type { ApiIndex, ApiRun } from "../../bench/site/api/schema.ts";
import { implOf, levelOf, newer, older, runOf } from "../../bench/testing/example_api.ts";

function indexOf(...runs: ApiRun[]): ApiIndex {
  return { schemaVersion: 1, scenarios: [], runs };
}

const fast = implOf("fast", [levelOf(1.1, 1.2)]);
const slow = implOf("slow", [levelOf(0.5, 0.6)]);
const oldRun = runOf(older, [fast, slow]);
const newRun = runOf(newer, [fast, slow]);

Deno.test("readChoice() takes all four from the address", () => {
  const query = `?run-a=${older}&impl-a=fast&run-b=${newer}&impl-b=slow`;
  assertEquals(readChoice(query, indexOf(newRun, oldRun)), {
    runA: older,
    implA: "fast",
    runB: newer,
    implB: "slow",
  });
});

Deno.test("readChoice() fills up with the newest run and the one before it of the same scenario", () => {
  const other = runOf("20260105T120000Z-0000009", [fast], { scenario: "hello" });
  const all = { implA: "", implB: "" };
  const index = indexOf(newRun, other, oldRun);
  assertEquals(readChoice("", index), { runA: newer, runB: older, ...all });
  assertEquals(readChoice(`?run-a=${older}`, index), { runA: older, runB: older, ...all });
  assertEquals(readChoice("", indexOf()), { runA: "", runB: "", ...all });
});

Deno.test("readChoice() fills up with a run that shares an implementation, and the profile's settings or an article's", () => {
  const others = runOf("20260105T000200Z-0000000", [implOf("other", [])]);
  const reproduction = runOf("20260105T000100Z-0000000", [fast], { reproduces: "article" });
  const runB = (...runs: ApiRun[]) => readChoice("", indexOf(newRun, ...runs)).runB;
  assertEquals(runB(others, reproduction, oldRun), older);
  assertEquals(runB(others, reproduction), newer);
});

Deno.test("runLabel() tells runs of several scenarios apart, which begin in the same minute", () => {
  assertEquals(
    runLabel(oldRun),
    "2026-01-05 00:00, jwt-mysql, full, Example CPU, 2 processors",
  );
  assertEquals(runLabel(oldRun) === runLabel({ ...oldRun, scenario: "hello" }), false);
});

Deno.test("problemOf() says which run or implementation is not there", () => {
  const index = indexOf(newRun, oldRun);
  const choice = { runA: newer, implA: "fast", runB: older, implB: "fast" };
  assertEquals(problemOf(choice, index), undefined);
  assertEquals(
    problemOf({ ...choice, runB: "<b>" }, index),
    "Cannot find run “<b>”: it is not among the published runs.",
  );
  assertEquals(
    problemOf({ ...choice, implA: "none" }, index),
    `Cannot find “none” in run ${newer}: it has fast, slow.`,
  );
  assertEquals(
    problemOf({ ...choice, runB: newer }, index),
    "Both sides are fast of the same run: choose another on one side.",
  );
});

Deno.test("pairUp() has each implementation with itself across runs, and names what only one has", () => {
  const renamed = runOf(older, [fast, implOf("gone", [])]);
  const { sides, onlyA, onlyB } = pairUp(
    { runA: newer, implA: "", runB: older, implB: "" },
    newRun,
    renamed,
  );
  assertEquals(sides.map(([a, b]) => [a.impl.id, a.run.id, b.impl.id, b.run.id]), [
    ["fast", newer, "fast", older],
  ]);
  assertEquals([onlyA, onlyB], [["SLOW"], ["GONE"]]);
});

Deno.test("pairUp() has one implementation with every other", () => {
  const choice = { runA: newer, implA: "fast", runB: newer, implB: "" };
  const ids = (runB: ApiRun) =>
    pairUp({ ...choice, runB: runB.id }, newRun, runB).sides
      .map(([a, b]) => [a.impl.id, b.impl.id]);
  assertEquals(ids(newRun), [["fast", "slow"]]);
  assertEquals(ids(oldRun), [["fast", "fast"], ["fast", "slow"]]);
  assertEquals(isWholeRun(choice), false);
  assertEquals(isWholeRun({ ...choice, implA: "" }), true);
});

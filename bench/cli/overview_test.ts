import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { CommanderError } from "commander";
import { silent } from "../lib/report.ts";
import { makePlan, planFor } from "../results/plan.ts";
import { defaultScenarioId, scenarioIds } from "../scenario/ids.ts";
import { loadContracts } from "../scenario/words.ts";
import { makePlace, type Place } from "../testing/place.ts";
import { announce } from "./announce.ts";
import type { CommandContext } from "./command.ts";
import { showOverview } from "./overview.ts";

Deno.test("showOverview() lists implementations, scenarios and commands, and ends as wrong usage", async () => {
  await using place = await makePlace();
  for (const id of ["honest", "two-queries"]) await place.addOwn(id, { scenarios: ["jwt-mysql"] });
  await place.addOwn("broken", { class: "fast" });
  let text = "";
  const context = contextOf(place, (printed) => text += printed);
  const error = await assertRejects(() => showOverview("verify", context), CommanderError);
  assertEquals(error.exitCode, 2);
  assertStringIncludes(text, "just verify: no implementation is named\n");
  assertStringIncludes(
    text,
    "\n  honest       Honest  jwt-mysql\n  two-queries  Honest  jwt-mysql\n",
  );
  assertStringIncludes(text, '\n  broken       Cannot parse "');
  for (const id of scenarioIds) assertStringIncludes(text, `\n  ${id} `);
  for (
    const command of ["bench broken", "verify broken", "compare broken honest", "noise broken"]
  ) {
    assertStringIncludes(text, `\n  just ${command} `);
  }
});

Deno.test("showOverview() says how long each profile takes as a run announces it", async () => {
  await using place = await makePlace();
  const { protocols, full } = (await loadContracts()).find(({ id }) => id === defaultScenarioId)!;
  const announced = (["full", "quick", "smoke"] as const).map((profile) => {
    const plan = planFor(protocols, makePlan(profile, {}, 0, full));
    const facts = { runId: "20260101T000000Z-0000000", scenario: defaultScenarioId, plan };
    return /^About (.*) in all;/m.exec(announce(facts, [{ id: "honest", secondsToQuiet: 0 }]))![1];
  });
  let text = "";
  const context = contextOf(place, (printed) => text += printed);
  await assertRejects(() => showOverview("bench", context), CommanderError);
  const [whole, quick, smoke] = announced;
  const times =
    `about ${whole}; quick: ${quick}, smoke: ${smoke}; more with just-in-time compilers`;
  assertStringIncludes(text, `measure it (${times})\n`);
});

function contextOf(place: Place, print: (text: string) => void): CommandContext {
  return {
    folders: place.folders,
    report: silent,
    signal: new AbortController().signal,
    scratch: place.temporary,
    print,
  };
}

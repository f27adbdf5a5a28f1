import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { BurstStep } from "../results/burst_schema.ts";
import { writeResult } from "../results/store.ts";
import { makePlace, runCommandLine } from "../testing/place.ts";

Deno.test("bench --resume measures a burst again that the machine disturbed", async (t) => {
  await using place = await makePlace();
  await place.addOwn("honest", { scenarios: ["jwt-mysql", "delay"] });
  await runCommandLine(place, ["bench", "honest", "smoke", "--scenario", "delay"]);
  const [measured] = await place.readOnlyRun();
  const { bursts, ...result } = measured!;
  const [{ figures: _, ...step }] = bursts!.steps as [BurstStep];
  const rounds = step.rounds.map((round) => ({ ...round, disturbed: "the hypervisor took 9.0 %" }));
  const disturbed = { ...step, rounds };
  await writeResult(place.folders.localRuns, {
    ...result,
    bursts: { ...bursts!, steps: [disturbed] },
  });
  const resume = ["bench", "--resume", result.runId];

  await t.step("and leaves the result as it is where that fails", async () => {
    const before = await place.readOnlyRun();
    const { code, stdout, stderr } = await runCommandLine(place, resume, { startTimeoutMs: 1 });
    assertEquals(code, 1, stdout);
    assertStringIncludes(stderr, "Cannot measure honest again, its result is unchanged: ");
    assertStringIncludes(
      stdout,
      `The machine disturbed 1 step. Measure again: \`just ${resume.join(" ")}\``,
    );
    assertEquals(await place.readOnlyRun(), before);
  });

  await t.step("and keeps it as it was beside the new one", async () => {
    const { stderr } = await runCommandLine(place, resume);
    const [now] = await place.readOnlyRun();
    assertEquals(now!.status, "complete", stderr);
    assertEquals(now!.measuredAgain, { bursts: [disturbed] });
    assertEquals(now!.bursts!.steps.length, 1);
    const [again] = now!.bursts!.steps[0]!.rounds;
    assert(again!.startedAt > result.endedAt!, again!.startedAt);
  });
});

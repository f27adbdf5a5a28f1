import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
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
    assertStringIncludes(stderr, "Cannot measure honest again, what was measured is kept: ");
    assertStringIncludes(
      stdout,
      `The machine disturbed 1 step. Measure again: \`just ${resume.join(" ")}\``,
    );
    assertEquals(await place.readOnlyRun(), before);
  });

  const toml = join(place.folders.impls, "honest", "impl.toml");
  const text = await Deno.readTextFile(toml);

  await t.step("and leaves the result as it is where its answers are wrong now", async () => {
    const before = await place.readOnlyRun();
    // Its body is wrong: that, a busy machine does not hide.
    await Deno.writeTextFile(toml, text.replace('"honest"]', '"answers-round-delays"]'));
    const { code, stderr } = await runCommandLine(place, resume);
    await Deno.writeTextFile(toml, text);
    assertEquals(code, 1, stderr);
    assertStringIncludes(
      stderr,
      'Cannot measure honest again, what was measured is kept: Cannot measure "honest": ',
    );
    assertEquals(await place.readOnlyRun(), before);
  });

  await t.step("and leaves an incomplete one as it is where it cannot be built now", async () => {
    const before = await place.readOnlyRun();
    const { endedAt: _, ...incomplete } = before[0]!;
    await writeResult(place.folders.localRuns, { ...incomplete, status: "incomplete" });
    await Deno.writeTextFile(toml, text.replace(/^build = .*$/m, 'build = ["sh", "-c", "exit 3"]'));
    const { code, stderr } = await runCommandLine(place, resume);
    await Deno.writeTextFile(toml, text);
    assertEquals(code, 1, stderr);
    assertStringIncludes(stderr, "Cannot continue honest, what was measured is kept: ");
    assertEquals(await place.readOnlyRun(), [{ ...incomplete, status: "incomplete" }]);
    await writeResult(place.folders.localRuns, before[0]!);
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

import { assertEquals, assertStringIncludes } from "@std/assert";
import { resultPath, writeResult } from "../../results/store.ts";
import { assertMeasured } from "../../testing/of_machine.ts";
import { makePlace, runCommandLine } from "../../testing/place.ts";

Deno.test("a run of hello that is resumed goes on with hello", async () => {
  await using place = await makePlace();
  await place.add("honest");
  const counts = ["--levels", "10", "--requests", "500", "--warm-up", "100", "--pool", "4"];
  const first = await runCommandLine(place, ["bench", "honest", "--scenario", "hello", ...counts]);
  await assertMeasured(place, first);
  const [result] = await place.readOnlyRun();
  const { endedAt: _, ...begun } = result!;
  await writeResult(place.folders.localRuns, { ...begun, status: "incomplete", levels: [] });

  const ended = await runCommandLine(place, ["bench", "--resume", begun.runId]);
  await assertMeasured(place, ended);
  assertEquals(ended.stdout.includes(resultPath(place.folders.localRuns, begun)), true);
  const [resumed] = await place.readOnlyRun();
  assertEquals([resumed!.status, resumed!.scenario], ["complete", "hello"]);
  assertEquals(
    resumed!.provenance.command,
    "npx rust-just bench honest --scenario hello --levels 10 --requests 500 --warm-up 100 --pool 4",
  );

  const again = await runCommandLine(place, ["bench", "--resume", begun.runId]);
  assertStringIncludes(again.stderr, `Nothing of ${begun.runId} is left to measure`);
  assertEquals((await place.readOnlyRun())[0], resumed);
});

import { assertEquals } from "@std/assert";
import { ids, publishWeeks, runIdOf, runOf } from "../testing/weekly_runs.ts";
import { readFollowed } from "./followed.ts";

Deno.test("readFollowed() gives runs, and those before them, what other kinds of machine found in them", async () => {
  await using weeks = await publishWeeks();
  for (const week of [6, 7]) {
    const [swift] = runOf(runIdOf(week), 2_000);
    const of = (replica: number | undefined, cpuModel: string) => ({
      ...swift!,
      replica,
      machine: { ...swift!.machine, cpuModel },
    });
    await weeks.publish([of(undefined, "One CPU"), of(2, "One CPU"), of(3, "Another CPU")]);
  }
  const { run, history } = await readFollowed(weeks.publishedRuns, ids(runIdOf(7)));
  const before = history.filter(({ runId }) => runId === runIdOf(6));
  const kindsOf = (followed: typeof run) =>
    followed.map(({ cpuModel, others }) => [cpuModel, others?.map((other) => other.cpuModel)]);
  assertEquals(kindsOf(run), [["One CPU", ["Another CPU"]]]);
  assertEquals(kindsOf(before), [["One CPU", ["Another CPU"]], ["Another CPU", undefined]]);
});

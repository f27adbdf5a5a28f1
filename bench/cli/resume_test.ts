import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { BenchError, RunBroken } from "../lib/error.ts";
import { readKernelSettings } from "../machine/dropped_connections.ts";
import type { NoiseFile } from "../results/files_schema.ts";
import { noisePlans } from "../results/profiles.ts";
import type { Result } from "../results/result_schema.ts";
import { writeResult } from "../results/store.ts";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleNoise } from "../testing/example_files.ts";
import { exampleHelloRun, exampleRun } from "../testing/example_run.ts";
import { makePlace, type Place } from "../testing/place.ts";
import {
  describeKept,
  readResumable,
  readResumableNoise,
  requireJoinable,
  withKept,
} from "./resume.ts";

const runId = "20260105T000000Z-0000000";
const [first] = exampleRun(runId);
const { plan, machine, provenance: { commit, dirty } } = first!;

async function placeWith(...results: Result[]): Promise<Place> {
  const place = await makePlace();
  for (const result of results) await writeResult(place.folders.localRuns, result);
  return place;
}

Deno.test("readResumable() takes a run whose implementations have one plan, or those of one plan", async () => {
  const read = ({ folders }: Place, ...implIds: string[]) =>
    readResumable(runId, {
      ...{ folders, machine, checkout: { commit, dirty } },
      implIds: implIds.length === 0 ? undefined : implIds,
    });
  await using place = await placeWith(...exampleRun(runId));
  assertEquals((await read(place)).length, 4);
  const swift = exampleRun(runId)[0]!;
  const { folders } = place;
  await writeResult(folders.localRuns, { ...swift, plan: { ...plan, requests: 20_000 } });
  const error = await assertRejects(
    () => read(place),
    BenchError,
    '"swift" has another plan than "even", expected one plan',
  );
  assertEquals(error.help, `Name one: \`just bench swift --resume ${runId}\``);
  assertEquals((await read(place, "swift")).map(({ impl }) => impl.id), ["swift"]);
  await assertRejects(() => read(place, "swift", "even"), BenchError, "expected one plan");
  const missing = await assertRejects(
    () => read(place, "another"),
    BenchError,
    `Cannot resume "${runId}": it has no result of "another", expected one of even, `,
  );
  assertEquals(missing.help, "Add an implementation to a run with --run-id.");
});

Deno.test("readResumable() takes no bursts under other settings of the kernel", async () => {
  const [result] = exampleBursts(runId);
  const read = async (kernelSettings?: Record<string, string>) => {
    await using place = await placeWith({
      ...result!,
      bursts: { ...result!.bursts!, kernelSettings },
    });
    const { machine, provenance: checkout } = result!;
    return await readResumable(runId, { folders: place.folders, machine, checkout });
  };
  assertEquals((await read(readKernelSettings())).length, 1);
  await assertRejects(
    () => read({ ...readKernelSettings(), "net.core.somaxconn": "1" }),
    BenchError,
    ", was 1, expected the same machine and commit",
  );
});

Deno.test("readResumable() takes no base of a change: its sources are gone", async () => {
  const provenance = { ...first!.provenance, implCommit: "b".repeat(40) };
  await using place = await placeWith({ ...first!, provenance });
  const { folders } = place;
  await assertRejects(
    () => readResumable(runId, { folders, machine, checkout: { commit, dirty } }),
    BenchError,
    `Cannot resume "${runId}": its sources are those of a base`,
  );
});

Deno.test("readResumable() takes one replica of a run: the only one, or the one that is named", async () => {
  const second = { ...first!, replica: 2 };
  const read = async ({ folders }: Place, replica?: number) => {
    const checkout = { commit, dirty };
    const results = await readResumable(runId, { replica, folders, machine, checkout });
    return results.map((result) => result.replica);
  };
  await using place = await placeWith(second);
  assertEquals(await read(place), [2]);
  await writeResult(place.folders.localRuns, first!);
  assertEquals([await read(place, 1), await read(place, 2)], [[undefined], [2]]);
  const is = `Cannot resume "${runId}": it has results of replicas 1 and 2, expected `;
  const help = `Name one: \`just bench --resume ${runId} --replica 2\``;
  for (const [replica, expected] of [[undefined, "one"], [3, "replica 3"]] as const) {
    const error = await assertRejects(() => read(place, replica), BenchError, is + expected);
    assertEquals(error.help, help);
  }
});

Deno.test("requireJoinable() takes the same scenario, profile and commit, and no other", async () => {
  await using place = await placeWith(first!);
  const join = (scenario: string, profile: Result["plan"]["profile"], id = runId, at = commit) =>
    requireJoinable(
      { runId: id, scenario, plan: { ...plan, profile }, checkout: { commit: at, dirty } },
      ["another"],
      place.folders,
    );
  await join("jwt-mysql", plan.profile);
  await join("hello", "smoke", "20260106T000000Z-0000000");
  const cannot = `Cannot add to run "${runId}": it has "${first!.impl.id}" of jwt-mysql, profile `;
  await assertRejects(
    () => join("hello", plan.profile),
    BenchError,
    `${cannot}${plan.profile}, at commit ${commit.slice(0, 7)}, ` +
      `expected hello, profile ${plan.profile}, at commit ${commit.slice(0, 7)}`,
  );
  await assertRejects(
    () => join("jwt-mysql", plan.profile, runId, "b".repeat(40)),
    BenchError,
    `at commit ${
      commit.slice(0, 7)
    }, expected jwt-mysql, profile ${plan.profile}, at commit bbbbbbb`,
  );
  await assertRejects(() => join("jwt-mysql", "smoke"), BenchError, "jwt-mysql, profile smoke");
});

Deno.test("requireJoinable() takes no second result of an implementation, which would be lost", async () => {
  const { endedAt: _, ...rest } = first!;
  const incomplete = { ...rest, status: "incomplete" as const };
  await using place = await placeWith(incomplete);
  const join = (replica: number | undefined, ...ids: string[]) =>
    requireJoinable(
      { runId, replica, scenario: "jwt-mysql", plan, checkout: { commit, dirty } },
      ids,
      place.folders,
    );
  await join(undefined, "another");
  await join(2, first!.impl.id);
  const error = await assertRejects(
    () => join(undefined, "another", first!.impl.id),
    BenchError,
    `Cannot add to run "${runId}": it has a result of "${first!.impl.id}", expected none`,
  );
  assertStringIncludes(
    error.help!,
    `Continue it with \`just bench ${first!.impl.id} --resume ${runId}\``,
  );
  await writeResult(place.folders.localRuns, { ...incomplete, replica: 2 });
  const second = await assertRejects(() => join(2, first!.impl.id), BenchError, " of replica 2");
  assertStringIncludes(second.help!, `${first!.impl.id} --resume ${runId} --replica 2\``);
  await writeResult(place.folders.localRuns, first!);
  const complete = await assertRejects(() => join(undefined, first!.impl.id), BenchError);
  assertEquals(complete.help, "Measure again without --run-id.");
  const failure = { stage: "build" as const, message: "npm failed", detail: "" };
  const unbuilt = { ...first!, status: "failed" as const, levels: [], failure };
  const path = await writeResult(place.folders.localRuns, unbuilt);
  const failed = await assertRejects(() => join(undefined, first!.impl.id), BenchError);
  assertEquals(
    failed.help,
    `Nothing of it was measured. To try it again in this run, remove ${path}.`,
  );
});

Deno.test("describeKept() says what a replica has, and how to continue it, unless its sources are gone", async () => {
  const { levels: [level] } = first!;
  const incomplete = { ...first!, status: "incomplete" as const, levels: [level!] };
  await using place = await placeWith(incomplete, { ...incomplete, replica: 2 });
  const { localRuns } = place.folders;
  await writeResult(localRuns, { ...incomplete, impl: { ...first!.impl, id: "another" } });
  const one = await describeKept(localRuns, { runId, implIds: ["another"] });
  assertMatch(one!, /^Kept: 1 of \d+ .+another\.json\nContinue with `just bench another --resume /);
  const kept = await describeKept(localRuns, { runId, replica: 2 });
  assertMatch(kept!, /^Kept: 1 of \d+ .+\.2\.json\nContinue with `just bench .+ --replica 2`$/);
  assertEquals(
    await describeKept(localRuns, { runId, replica: 2, implCommit: "b".repeat(40) }),
    kept!.split("\n")[0],
  );
  assertEquals(await describeKept(localRuns, { runId, replica: 3 }), undefined);
});

Deno.test("withKept() adds what is kept to an interruption and to a failure of the harness, and to no other", async () => {
  const running = new AbortController();
  const described = async (error: Error, kept?: string) => {
    const told = await withKept(error, running.signal, () => kept);
    return [told === error, (told as BenchError).message, (told as BenchError).help];
  };
  const broken = new RunBroken("Cannot load", { help: "The log" });
  assertEquals(await described(broken, "Kept"), [false, "Cannot load", "The log\nKept"]);
  assertEquals(await described(new RunBroken("Cannot load")), [false, "Cannot load", undefined]);
  const besides = new SuppressedError(new Error("Cannot restore"), broken);
  assertEquals(await described(besides, "Kept"), [false, "Cannot load", "The log\nKept"]);
  assertEquals(await described(new Error("a bug"), "Kept"), [true, "a bug", undefined]);
  const ofImpl = new BenchError("Cannot start");
  const known = await withKept(ofImpl, running.signal, () => "Kept", () => true) as BenchError;
  assertEquals([known.message, known.help], ["Cannot start", "Kept"]);
  running.abort();
  const interrupted = new BenchError("Interrupted by SIGINT");
  assertEquals(await described(interrupted, "Kept"), [false, "Interrupted by SIGINT", "Kept"]);
});

Deno.test("requireJoinable() takes no run that is published: it never changes", async () => {
  await using place = await makePlace();
  const [hello] = exampleHelloRun(runId);
  await writeResult(place.folders.publishedRuns, hello!);
  await assertRejects(
    () =>
      requireJoinable(
        { runId, scenario: "hello", plan, checkout: { commit, dirty } },
        [],
        place.folders,
      ),
    BenchError,
    `Cannot add to run "${runId}": it is published, expected an unpublished run`,
  );
});

Deno.test("readResumableNoise() takes a measurement of this machine, commit and plan that lacks comparisons", async () => {
  const file = { ...exampleNoise("20260105T000000Z-0000000"), plannedComparisons: 21 };
  await using place = await makePlace();
  const { localNoise, publishedNoise } = place.folders;
  const name = `${file.id}.json`;
  const read = async (changes: Partial<NoiseFile>, folder = localNoise) => {
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(join(folder, name), JSON.stringify({ ...file, ...changes }));
    const { commit, dirty } = file;
    return await readResumableNoise(file.id, {
      ...{ folders: place.folders, machine: file.machine },
      checkout: { commit, dirty },
    });
  };
  assertEquals(await read({}), { file, profile: "full", plannedComparisons: 21 });
  assertEquals((await read({ plan: noisePlans.quick })).profile, "quick");
  const other = "f".repeat(40);
  const rows: [Partial<NoiseFile>, string][] = [
    [{ commit: other }, `commit is ${file.commit}, was ${other}`],
    [{ dirty: true }, "there are no uncommitted changes now, there were some"],
    [
      { machine: { ...file.machine, cpuCount: 99 } },
      `cpuCount is ${file.machine.cpuCount}, was 99`,
    ],
    [{ plan: { ...file.plan, minRounds: 99 } }, "its plan is that of no present profile"],
  ];
  for (const [changes, what] of rows) {
    const message = `Cannot resume "${file.id}": ${what}`;
    await assertRejects(() => read(changes), BenchError, message);
  }
  const all = "it has all of its 20 comparisons";
  await assertRejects(() => read({ plannedComparisons: 20 }), BenchError, all);
  await assertRejects(() => read({}, publishedNoise), BenchError, "it is published");
});

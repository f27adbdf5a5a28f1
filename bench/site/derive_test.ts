import { assert, assertEquals, assertRejects } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { z } from "zod";
import { deriveSite } from "./derive.ts";
import { BenchError } from "../lib/error.ts";
import { exampleNoise } from "../testing/example_files.ts";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleDeliveries } from "../testing/example_deliveries.ts";
import { exampleRun } from "../testing/example_run.ts";
import { describeBias, namedNoises } from "../results/noise.ts";
import { makePlan } from "../results/plan.ts";
import type { Result } from "../results/result_schema.ts";
import { scenarioIds } from "../scenario/ids.ts";
import { resultPath, writeResult } from "../results/store.ts";
import { writeAtomically } from "../lib/write_atomically.ts";

const workflowPath = fromFileUrl(new URL("../../.github/workflows/bench.yml", import.meta.url));
const claimsPath = fromFileUrl(new URL("../../site/data/claims.toml", import.meta.url));
const older = "20260105T000000Z-0000005";
const newer = "20260106T000000Z-0000006";
const newest = "20260107T000000Z-0000007";
const anotherPlan = "Comparisons have another plan today, so their noise may be different.";
const testedBy = z.object({ runs: z.array(z.object({ id: z.string() })) });
/** A scenario that is not the default one. */
const other = scenarioIds[1]!;

/** Makes the folders of an empty site, which a test fills. */
async function makeSite() {
  const folder = await Deno.makeTempDir();
  const options = {
    publishedRuns: join(folder, "runs"),
    localRuns: join(folder, "local"),
    noiseFolder: join(folder, "noise"),
    claimsPath,
    workflowPath,
    target: join(folder, "derived"),
  };
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await Deno.readTextFile(join(options.target, "data", name)));
  return {
    options,
    page: (runId: string) => join(options.target, "assets", "runs", `${runId}.json`),
    readIndex: () => read("index.json"),
    readNoise: () => read("noise.json"),
    testedRun: async () => testedBy.parse(await read("claims.json")).runs[0]?.id,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Writes a full run, changed. */
async function writeRun(
  folder: string,
  runId: string,
  change: (result: Result) => Result = (result) => result,
): Promise<void> {
  for (const result of exampleRun(runId)) {
    await writeResult(
      folder,
      change({ ...result, plan: { ...result.plan, profile: "full" } }),
    );
  }
}

Deno.test("deriveSite() has files for a site without any run", async () => {
  await using site = await makeSite();
  await deriveSite(site.options);
  assertEquals(await site.readIndex(), []);
  assertEquals(await site.readNoise(), []);
  assertEquals(await site.testedRun(), undefined);
});

Deno.test("deriveSite() ranks nothing by a run with an article's settings, and shows it by itself", async () => {
  await using site = await makeSite();
  const { publishedRuns, target } = site.options;
  const reproduce = ({ impl, plan, ...result }: Result): Result => ({
    ...result,
    impl: { ...impl, id: impl.id === "swift" ? "deno" : impl.id },
    plan: { ...plan, profile: "custom", reproduces: "deno-rust" },
  });
  const writeReproduction = async (runId: string) => {
    for (const result of exampleRun(runId)) await writeResult(publishedRuns, reproduce(result));
  };
  const derived = async (name: string) =>
    JSON.parse(await Deno.readTextFile(join(target, "data", name)));
  await writeReproduction(older);
  await deriveSite(site.options);
  assertEquals(await site.testedRun(), undefined);
  assertEquals(await derived("impls.json"), []);
  assertEquals(await derived("answers.json"), []);
  assertEquals(await derived("current.json"), {});

  await writeRun(publishedRuns, newer);
  const namesOf = async () =>
    await Promise.all(["impls.json", "answers.json", "over_runs.json", "home.json"].map(derived));
  await Deno.remove(join(publishedRuns, older), { recursive: true });
  await deriveSite(site.options);
  const without = await namesOf();
  await writeReproduction(older);
  await writeReproduction(newest);
  await deriveSite(site.options);
  assertEquals(await namesOf(), without);
  assertEquals(await site.testedRun(), newer);
  const changes = JSON.parse(
    await Deno.readTextFile(join(target, "assets", "changes", `${newer}.json`)),
  );
  assert(!JSON.stringify(changes).includes(older));

  const { reproductions: [{ sides }] } = await derived("claims.json");
  assertEquals(sides.map(({ run }: { run: string }) => run), [newest]);
  const marks = (await derived("index.json"))[0].marks;
  assert(marks.includes("measured with the settings of an article"), marks);
  await Deno.stat(site.page(newest));
});

Deno.test("deriveSite() tests claims with the newest published full run that has comparisons", async () => {
  await using site = await makeSite();
  const { publishedRuns, localRuns } = site.options;
  const withoutComparison = ({ comparison: _, plan, ...result }: Result): Result => {
    const { comparison: __, ...rest } = plan;
    return { ...result, plan: rest };
  };
  await writeRun(publishedRuns, older, withoutComparison);
  await deriveSite(site.options);
  assertEquals(await site.testedRun(), older);
  await writeRun(publishedRuns, newer);
  await writeRun(publishedRuns, newest, withoutComparison);
  await writeRun(localRuns, "20260108T000000Z-0000008");
  await writeRun(publishedRuns, "20260109T000000Z-0000009", (result) => ({
    ...result,
    plan: { ...result.plan, profile: "quick" },
  }));
  // One implementation alone, as after a change of it, is the current run where others complete it.
  const alone = "20260110T000000Z-000000a";
  await writeRun(publishedRuns, alone);
  for (const id of ["even", "freezing", "tweaked"]) {
    await Deno.remove(resultPath(publishedRuns, { runId: alone, impl: { id } }));
  }
  await deriveSite(site.options);
  assertEquals(await site.testedRun(), alone);
});

Deno.test("deriveSite() tests claims with a run of deliveries or bursts, but not of one implementation alone, which is not the current one", async () => {
  for (const exampleOf of [exampleDeliveries, exampleBursts]) {
    await using site = await makeSite();
    const { publishedRuns, target } = site.options;
    const results = exampleOf(older);
    for (const result of results) await writeResult(publishedRuns, result);
    await writeResult(publishedRuns, exampleOf(newer)[0]!);
    await deriveSite(site.options);
    assertEquals(await site.testedRun(), older);
    const current = await Deno.readTextFile(join(target, "data", "current.json"));
    assertEquals(JSON.parse(current), { [results[0]!.scenario]: [older] });
  }
});

Deno.test("deriveSite() leaves nothing of a run that is no more", async () => {
  await using site = await makeSite();
  const { localRuns, ...published } = site.options;
  await writeRun(published.publishedRuns, older);
  await writeRun(localRuns, newer);
  await deriveSite(site.options);
  await Deno.stat(site.page(newer));
  await deriveSite(published);
  await assertRejects(() => Deno.stat(site.page(newer)), Deno.errors.NotFound);
});

Deno.test("deriveSite() tells scenarios apart: histories, claims, changes, the latest run", async () => {
  await using site = await makeSite();
  const { publishedRuns, target } = site.options;
  const hello = (result: Result): Result => ({ ...result, scenario: other });
  const renamed = ({ impl, ...result }: Result): Result => {
    return { ...result, impl: { ...impl, name: `New ${impl.name}` } };
  };
  await writeRun(publishedRuns, older);
  await writeRun(publishedRuns, newer, hello);
  await writeRun(publishedRuns, newest, renamed);
  await deriveSite(site.options);
  const read = async (path: string) => JSON.parse(await Deno.readTextFile(join(target, path)));
  const histories: { id: string; scenario: string; address: string; latest: string }[] = await read(
    "data/impls.json",
  );
  const ofSwift = histories.filter(({ id }) => id === "swift");
  assertEquals(ofSwift.map(({ scenario, address, latest }) => [scenario, address, latest]), [
    ["jwt-mysql", "impls/swift/", newest],
    [other, `impls/swift/${other}/`, newer],
  ]);
  const { entries, others } = await read(`assets/impls/swift/${other}.json`);
  assertEquals(entries.map(({ runId }: { runId: string }) => runId), [newer]);
  assertEquals(others, [{ scenario: "jwt-mysql", address: "impls/swift/" }]);
  assertEquals(await read("data/claims.json").then(({ runs }) => runs), [
    { scenario: "jwt-mysql", id: newest },
    { scenario: other, id: newer },
  ]);
  const before = async (runId: string) =>
    (await read(`assets/changes/${runId}.json`)).before?.runId;
  assertEquals([await before(newest), await before(newer)], [older, undefined]);
  const home = await read("data/home.json");
  assertEquals([home.headline.id, home.later, home.others[0].runIds[0]], [newest, [], newer]);
  assertEquals((await read("static/api/latest.json")).id, newest);
  const { id, impls } = await read(`static/api/${other}/latest.json`);
  assertEquals(id, newer);
  // An implementation has its newest name wherever several runs are shown.
  assert(impls.every(({ name }: { name: string }) => name.startsWith("New ")));
});

Deno.test("deriveSite() lists every run, the newest first, and why one is provisional", async () => {
  await using site = await makeSite();
  await writeRun(site.options.publishedRuns, older);
  await writeRun(site.options.localRuns, newer, (result) => ({
    ...result,
    plan: { ...result.plan, profile: "quick" },
  }));
  await deriveSite(site.options);
  const index = z.array(
    z.object({ id: z.string(), local: z.boolean(), marks: z.array(z.string()) }),
  );
  const summaries = index.parse(await site.readIndex());
  assertEquals(summaries.map(({ id, local, marks }) => [id, local, marks]), [
    [newer, true, ["local: not published", "profile quick, not full"]],
    [older, false, []],
  ]);
  const { localRuns, publishedRuns } = site.options;
  await Deno.rename(join(localRuns, newer), join(publishedRuns, newer));
  await deriveSite(site.options);
  const [published] = index.parse(await site.readIndex());
  assertEquals(published!.local, false);
});

Deno.test("deriveSite() leaves series, histograms and rounds out of the page of a run", async () => {
  await using site = await makeSite();
  await writeRun(site.options.publishedRuns, older);
  await deriveSite(site.options);
  const text = await Deno.readTextFile(site.page(older));
  for (const key of ["series", "histogram", "perSlice"]) {
    assertEquals(text.includes(`"${key}"`), false, key);
  }
});

Deno.test("deriveSite() passes over a local run that has no result yet", async () => {
  await using site = await makeSite();
  await Deno.mkdir(join(site.options.localRuns, older), { recursive: true });
  await deriveSite(site.options);
  await assertRejects(() => Deno.stat(site.page(older)), Deno.errors.NotFound);
});

Deno.test("deriveSite() gives the noise of each figure, the plans beside it, and every ratio, the newest first", async () => {
  await using site = await makeSite();
  const files = [older, newer].map((id) => structuredClone(exampleNoise(id)));
  delete files[0]!.plan.joinsSlices; // It froze a side after each of its slices.
  for (const file of files) {
    const path = join(site.options.noiseFolder, `${file.id}.json`);
    await writeAtomically(path, JSON.stringify(file));
  }
  await deriveSite(site.options);
  const expected = files.toReversed().map((file) => {
    const { id, scenario, impl, startedAt, command, commit, machine, plan } = file;
    const comparisons = file.comparisons.map(({ connections, goodput }) => ({
      connections,
      ratio: goodput!,
      isFalseAlarm: goodput!.low > 1 || goodput!.high < 1,
    }));
    return {
      ...{ id, scenario, impl, startedAt, command, commit, comparisons },
      machine: `${machine.cpuModel}, ${machine.cpuCount} processors`,
      name: file.program!.name,
      ...{ figures: namedNoises(file), bias: describeBias(namedNoises(file)) },
      plans: [
        { name: "these comparisons", plan, turnSeconds: file.id === older ? 0.1 : 0.2 },
        ...(["quick", "full"] as const).map((profile) => {
          const { comparison, startupRuns } = makePlan(profile, {}, 0);
          const name = `${profile} runs today`;
          return { name, plan: { ...comparison, startupRuns }, turnSeconds: 0.2 };
        }),
      ],
      ...(file.id === older && { otherToday: anotherPlan }),
      p99AtRate: plan.p99AtRate,
    };
  });
  assertEquals<unknown>(await site.readNoise(), expected);
});

Deno.test("deriveSite() names a measurement of noise that is damaged, and one under another's name", async () => {
  await using site = await makeSite();
  const path = join(site.options.noiseFolder, `${older}.json`);
  const messageFor = async (file: unknown) => {
    await writeAtomically(path, JSON.stringify(file));
    return (await assertRejects(() => deriveSite(site.options), BenchError)).message;
  };
  const { summary: _, ...incomplete } = exampleNoise(older);
  assertEquals(
    await messageFor({ ...incomplete, more: 1 }),
    `Cannot parse "${path}": key "summary": Invalid input: expected object, received undefined\n` +
      `Cannot parse "${path}": Unrecognized key: "more"`,
  );
  assertEquals(
    await messageFor(exampleNoise(newer)),
    `Cannot read "${path}": it holds measurement "${newer}", expected "${older}"`,
  );
});

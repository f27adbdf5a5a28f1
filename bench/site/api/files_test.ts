import { assert, assertEquals, assertRejects } from "@std/assert";
import { parse } from "@std/csv";
import { join } from "@std/path";
import { deriveSite } from "../derive.ts";
import { apiIndexSchema, apiRunSchema } from "./schema.ts";
import { exampleRun } from "../../testing/example_run.ts";
import { repositoryRoot } from "../../lib/repository_root.ts";
import { writeResult } from "../../results/store.ts";

const older = "20260105T000000Z-0000005";
const newer = "20260106T000000Z-0000006";
const local = "20260107T000000Z-0000007";

/** Makes a site with published full runs and a local one. */
async function makeSite(ids = [older, newer]) {
  const folder = await Deno.makeTempDir();
  const published = join(folder, "runs");
  const localRuns = join(folder, "local");
  const target = join(folder, "derived");
  const write = async (runs: string, runId: string) => {
    for (const result of exampleRun(runId)) {
      await writeResult(runs, { ...result, plan: { ...result.plan, profile: "full" } });
    }
  };
  for (const id of ids) await write(published, id);
  await write(localRuns, local);
  const options = {
    publishedRuns: published,
    noiseFolder: join(folder, "noise"),
    claimsPath: join(repositoryRoot, "site", "data", "claims.toml"),
    workflowPath: join(repositoryRoot, ".github", "workflows", "bench.yml"),
    target,
  };
  return {
    publish: (runId: string) => write(published, runId),
    derive: () => deriveSite(options),
    deriveWithLocal: () => deriveSite({ ...options, localRuns }),
    path: (...names: string[]) => join(target, ...names),
    read: (...names: string[]) => Deno.readTextFile(join(target, ...names)),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

Deno.test("writeExports() lists all runs, gives the latest with pairs over runs, and all as one table", async () => {
  await using site = await makeSite();
  await site.derive();
  const index = apiIndexSchema.parse(JSON.parse(await site.read("static", "api", "index.json")));
  assertEquals([index.latest, ...index.runs.map(({ id }) => id)], [newer, newer, older]);
  const latest = apiRunSchema.parse(JSON.parse(await site.read("static", "api", "latest.json")));
  const whole = apiRunSchema.parse(
    JSON.parse(await site.read("static", "api", "runs", `${newer}.json`)),
  );
  const { pairs: ofRun, ...short } = whole;
  const { pairs: ofRuns, ...rest } = latest;
  assertEquals(rest, short);
  assert(ofRun!.length > 0);
  // Of the run, as in its own file, and of both.
  assertEquals(ofRuns!.map(({ overRuns: _, ...pair }) => pair), ofRun);
  assertEquals(ofRuns!.map(({ overRuns }) => overRuns?.runs), ofRun!.map(() => 2));
  const rows = parse(await site.read("static", "api", "results.csv"), { skipFirstRow: true });
  const levels = whole.impls.flatMap(({ levels }) => levels).length;
  assertEquals(rows.map(({ run }: Record<string, string>) => run), [
    ...Array(levels).fill(newer),
    ...Array(levels).fill(older),
  ]);
});

Deno.test("writeExports() gives a latest run that is the only one without its pairs", async () => {
  await using site = await makeSite([newer]);
  await site.derive();
  const latest = apiRunSchema.parse(JSON.parse(await site.read("static", "api", "latest.json")));
  assertEquals([latest.id, latest.pairs], [newer, undefined]);
});

Deno.test("writeExports() takes what is local out of the files again", async () => {
  await using site = await makeSite();
  await site.deriveWithLocal();
  const ids = async () => {
    const index = apiIndexSchema.parse(JSON.parse(await site.read("static", "api", "index.json")));
    return index.runs.map(({ id }) => id);
  };
  assertEquals(await ids(), [local, newer, older]);
  assert((await site.read("static", "api", "results.csv")).includes(local));
  // A run of this machine is no news, and speaks for nobody.
  assert(!(await site.read("data", "feed.json")).includes(local));
  assertEquals(JSON.parse(await site.read("data", "home.json")).headline.id, newer);

  await site.derive();
  assertEquals(await ids(), [newer, older]);
  assert(!(await site.read("static", "api", "results.csv")).includes(local));
  await assertRejects(
    () => Deno.stat(site.path("static", "api", "runs", `${local}.json`)),
    Deno.errors.NotFound,
  );
});

Deno.test("deriveSite() compares what is published with what is published only", async () => {
  await using site = await makeSite();
  await site.deriveWithLocal();
  const before = async (runId: string) =>
    JSON.parse(await site.read("assets", "changes", `${runId}.json`)).before?.runId;
  assertEquals(await before(local), newer);
  assertEquals(await before(newer), older);
  assertEquals(await before(older), undefined);
});

Deno.test("deriveSite() compares a run again with one that is published after it", async () => {
  await using site = await makeSite();
  const before = async () =>
    JSON.parse(await site.read("assets", "changes", `${newer}.json`)).before.runId;
  await site.derive();
  assertEquals(await before(), older);
  const between = "20260105T120000Z-0000005";
  await site.publish(between);
  await site.derive();
  assertEquals(await before(), between);
});

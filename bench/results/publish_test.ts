import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import { onFullDisk } from "../testing/full_disk.ts";
import { exampleResult } from "../testing/example_result.ts";
import { foldersOf } from "../cli/folders.ts";
import { exampleNoise } from "../testing/example_files.ts";
import { noiseFileSchema, type NoisePlan } from "./files_schema.ts";
import { noisePlans } from "./profiles.ts";
import { publishNoise, publishRun } from "./publish.ts";
import type { Result } from "./result_schema.ts";
import { listJsonFiles, listRunIds, readFileOf, readRun, writeResult } from "./store.ts";

/** Publishes a run of one result, and tells what is published after it. */
async function publish(
  change: (result: Result) => void,
  prepare: (folders: { localFolder: string; publishedFolder: string }) => Promise<void> = () =>
    Promise.resolve(),
): Promise<{ error: string; help?: string; published: string[]; isSame: boolean }> {
  const folder = await Deno.makeTempDir();
  try {
    const folders = { localFolder: join(folder, "local"), publishedFolder: join(folder, "site") };
    await Deno.mkdir(folders.publishedFolder);
    const result = exampleResult();
    change(result);
    const path = await writeResult(folders.localFolder, result);
    await prepare(folders);
    const text = await Deno.readTextFile(path);
    let [error, help]: [string, string?] = [""];
    try {
      await publishRun(result.runId, folders);
    } catch (thrown) {
      if (!(thrown instanceof BenchError)) throw thrown;
      ({ message: error, help } = thrown);
    }
    const published = await Array.fromAsync(
      Deno.readDir(folders.publishedFolder),
      ({ name }) => name,
    );
    const copy = join(folders.publishedFolder, result.runId, "example.json");
    const isSame = await Deno.readTextFile(copy).then((read) => read === text, () => false);
    return { error, help, published, isSame };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const runId = exampleResult().runId;

Deno.test("publishRun() copies a complete run byte for byte", async () => {
  const { help: _, ...done } = await publish(() => {});
  assertEquals(done, { error: "", published: [runId], isSame: true });
});

Deno.test("publishRun() publishes a failed implementation too: a failure is a result", async () => {
  const { error, published } = await publish((result) => {
    result.status = "failed";
    result.failure = { stage: "build", message: "…", detail: "" };
  });
  assertEquals({ error, published }, { error: "", published: [runId] });
});

Deno.test("publishRun() refuses a run that is incomplete", async () => {
  const { error, help, published } = await publish((result) => {
    result.status = "incomplete";
    result.levels = [];
  });
  assertEquals(help, `Finish it with \`just bench --resume ${runId}\`.`);
  assertEquals(error, `Cannot publish "${runId}": "example" is incomplete, with 0 of 1 levels`);
  assertEquals(published, []);
});

Deno.test("publishRun() refuses a run of uncommitted code", async () => {
  const { error } = await publish((result) => result.provenance.dirty = true);
  assertEquals(error, `Cannot publish "${runId}": "example" was measured with uncommitted changes`);
});

Deno.test("publishRun() refuses the base of a change", async () => {
  const { error } = await publish((result) => result.provenance.implCommit = "b".repeat(40));
  assertEquals(error, `Cannot publish "${runId}": "example" was measured as the base of a change`);
});

Deno.test("publishRun() refuses a run for tests", async () => {
  const { error, help, published } = await publish((result) => result.plan.profile = "smoke");
  assertEquals(
    help,
    "Measure again with everything committed, with the profile quick or full, and without --base.",
  );
  assertEquals(
    error,
    `Cannot publish "${runId}": "example" was measured with the profile smoke, expected quick or full`,
  );
  assertEquals(published, []);
});

Deno.test("publishRun() refuses a run with a damaged file, and publishes none of it", async () => {
  const { error, published } = await publish(() => {}, async ({ localFolder }) => {
    await Deno.writeTextFile(join(localFolder, runId, "damaged.json"), '{"schemaVersion": 1');
  });
  assertEquals(error.startsWith("Cannot parse"), true, error);
  assertEquals(published, []);
});

Deno.test("publishRun() never changes what is published", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const folders = { localFolder: join(folder, "local"), publishedFolder: join(folder, "site") };
    await writeResult(folders.localFolder, exampleResult());
    await publishRun(runId, folders);
    await assertRejects(() => publishRun(runId, folders), BenchError, "it is published already");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("publishRun() publishes all of a run or nothing: nothing on a full disk, nor a run with NaN or of another schema", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const folders = { localFolder: join(folder, "local"), publishedFolder: join(folder, "site") };
    await Deno.mkdir(folders.publishedFolder);
    const path = await writeResult(folders.localFolder, exampleResult());
    const { stdout } = await onFullDisk(
      folders.publishedFolder,
      [
        `import { publishRun } from "${new URL("publish.ts", import.meta.url)}";`,
        `await publishRun("${runId}", ${
          JSON.stringify(folders)
        }).catch(({ message }) => console.log(message));`,
        `console.log([...Deno.readDirSync("${folders.publishedFolder}")].map(({ name }) => name).join());`,
      ].join("\n"),
    );
    const [message, names] = stdout.split("\n");
    assertStringIncludes(message!, `Cannot publish "${runId}": No space left on device`);
    assertEquals(names, ".filler");
    const text = await Deno.readTextFile(path);
    const damages: [string, string][] = [
      [text.replace(/"attempted":\d+/, '"attempted":NaN'), "is not valid JSON"],
      [text.replace(/"attempted":\d+/, '"attempted":1e999'), 'attempted": Invalid input'],
      [text.replace('"schemaVersion":1', '"schemaVersion":2'), "schemaVersion is 2, expected 1"],
      [text.slice(0, -100), "Cannot parse"],
    ];
    for (const [damaged, message] of damages) {
      await Deno.writeTextFile(path, damaged);
      await assertRejects(() => publishRun(runId, folders), BenchError, message);
    }
    assertEquals([...Deno.readDirSync(folders.publishedFolder)], []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("every published run can be read, strictly", async () => {
  const { publishedRuns } = foldersOf();
  const ids = await listRunIds(publishedRuns);
  assert(ids.length > 0, `"${publishedRuns}" has no run, expected some`);
  for (const id of ids) {
    for (const result of await readRun(publishedRuns, id)) {
      assertEquals(result.status === "incomplete" || result.provenance.dirty, false);
    }
  }
});

Deno.test("every published measurement of noise can be read, strictly", async () => {
  const { publishedNoise } = foldersOf();
  const names = await listJsonFiles(publishedNoise);
  assert(names.length > 0, `"${publishedNoise}" has no measurement, expected some`);
  for (const name of names) {
    const { id, dirty } = await readFileOf(noiseFileSchema, join(publishedNoise, name));
    assertEquals([`${id}.json`, dirty], [name, false]);
  }
});

Deno.test("publishNoise() copies a measurement once, whole, and without uncommitted changes", async () => {
  const root = await Deno.makeTempDir();
  const options = { localFolder: join(root, "local"), publishedFolder: join(root, "site") };
  await Deno.mkdir(options.localFolder);
  const noise = exampleNoise("20260101T000000Z-0000000");
  const write = (dirty: boolean, plannedComparisons = 20, plan: NoisePlan = noise.plan) =>
    Deno.writeTextFile(
      join(options.localFolder, `${noise.id}.json`),
      JSON.stringify({ ...noise, dirty, plan, plannedComparisons }),
    );
  try {
    await write(false, 20, noisePlans.smoke);
    await assertRejects(
      () => publishNoise(noise.id, options),
      BenchError,
      `Cannot publish "${noise.id}": it was measured with the profile smoke, expected quick or full`,
    );
    await write(false, 21);
    await assertRejects(
      () => publishNoise(noise.id, options),
      BenchError,
      `Cannot publish "${noise.id}": it has 20 of 21 comparisons, expected all`,
    );
    await write(true);
    await assertRejects(
      () => publishNoise(noise.id, options),
      BenchError,
      `Cannot publish "${noise.id}": it was measured with uncommitted changes`,
    );
    await write(false);
    const path = await publishNoise(noise.id, options);
    assertEquals(path, join(options.publishedFolder, `${noise.id}.json`));
    assertEquals(JSON.parse(await Deno.readTextFile(path)), { ...noise, dirty: false });
    const error = await assertRejects(
      () => publishNoise(noise.id, options),
      BenchError,
      `Cannot publish "${noise.id}": it is published already, in "${path}"`,
    );
    assertEquals(
      error.help,
      "Published measurements never change. Measure again to publish a new one.",
    );
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { exists } from "../lib/cache.ts";
import { silent } from "../lib/report.ts";
import { comparisonFileSchema, noiseFileSchema } from "../results/files_schema.ts";
import type { Result } from "../results/result_schema.ts";
import {
  type Ended,
  makePlace,
  type Place,
  runCommandLine,
  startCommandLine,
} from "../testing/place.ts";
import { withoutMachine } from "../testing/of_machine.ts";
import { openServer } from "../testing/server.ts";
import { ensureNative } from "../tools/tools.ts";

/** One for all: that each is stopped without its database is for other tests. */
let server: Awaited<ReturnType<typeof openServer>>;
Deno.test.beforeAll(async () => void (server = await openServer()));
Deno.test.afterAll(async () => await server[Symbol.asyncDispose]());

async function runWithServer(place: Place, args: string[]): Promise<Ended> {
  return await runCommandLine(place, args, { env: { DATABASE_URL: server.url } });
}

/** Adds an implementation that starts at once: the control under another id. */
async function addQuick(place: Place): Promise<string> {
  const { signal } = new AbortController();
  const { control } = await ensureNative({ report: silent, signal });
  await place.addOwn("quick", { start: [control] });
  return "quick";
}

/** How sides are compared is the same in each scenario; this one is verified in a moment. */
const inShort = ["--scenario", "hello"];

async function readOnlyFile(folder: string): Promise<unknown> {
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  assertEquals(names.length, 1);
  return JSON.parse(await Deno.readTextFile(join(folder, names[0]!)));
}

Deno.test("compare tells which of two is faster, and keeps every round", async () => {
  await using place = await makePlace();
  await place.add("honest");
  const { code, stdout, stderr } = await runWithServer(place, [
    ...["compare", "honest", "control", "smoke"],
  ]);
  assertEquals([code, stderr.includes("Verifying control")], [0, true], stderr);
  const file = comparisonFileSchema.parse(await readOnlyFile(place.folders.comparisons));
  assertEquals([file.subject.id, file.reference.id], ["honest", "control"]);
  assertEquals(file.command, "npx rust-just compare honest control smoke");
  const [level] = file.levels;
  assertEquals(withoutMachine(level!.problem ?? ""), "");
  if (level!.problem === undefined) {
    assertMatch(stdout, /50 connections: .*(faster|slower|tied)/);
    assertEquals(level!.goodput?.rounds, level!.rounds.length);
  }
  assertEquals(await place.leftovers(), []);
});

Deno.test("compare --base compares with the sources of another commit, and removes its worktree", async () => {
  await using place = await makePlace();
  const id = await addQuick(place);
  await commitAll(place);
  const { code, stdout, stderr } = await runWithServer(place, [
    ...["compare", id, "--base", "HEAD", ...inShort, "smoke"],
  ]);
  assertEquals(code, 0, stderr);
  assertMatch(stdout, /^quick \(here\) compared with quick \([0-9a-f]{7}\)$/m);
  const file = comparisonFileSchema.parse(await readOnlyFile(place.folders.comparisons));
  assertEquals(file.reference.id, id);
  const [level] = file.levels;
  assertEquals(withoutMachine(level!.problem ?? ""), "");
  if (level!.problem === undefined) {
    assertMatch(stdout, /quick \(here\) (and|is) .*quick \([0-9a-f]{7}\)/);
  }
  const { stdout: worktrees } = await new Deno.Command("git", {
    args: ["-C", place.folders.root, "worktree", "list"],
  }).output();
  assertEquals(new TextDecoder().decode(worktrees).trim().split("\n").length, 1);
  assertEquals(await place.leftovers(), []);
});

Deno.test("bench --base measures the sources of another commit, says so, and removes its worktree", async () => {
  await using place = await makePlace();
  const id = await addQuick(place);
  await commitAll(place);
  const manifest = join(place.folders.impls, id, "impl.toml");
  const text = await Deno.readTextFile(manifest);
  await Deno.writeTextFile(manifest, text.replace(/^name = .*/m, 'name = "Changed"'));
  await commitAll(place);
  const args = ["bench", id, "smoke", "--scenario", "hello", "--base", "HEAD^1"];
  const { stderr } = await runWithServer(place, args);
  const [{ impl, provenance }] = await place.readOnlyRun() as [Result];
  assertEquals(impl.name === "Changed", false, stderr);
  assertMatch(provenance.implCommit ?? "", /^[0-9a-f]{40}$/);
  assertEquals(provenance.implCommit === provenance.commit, false);
  assertStringIncludes(provenance.command, `smoke --base ${provenance.implCommit}`);
  assertEquals(await place.leftovers(), []);
});

Deno.test("compare refuses a side that does not meet the contract", async () => {
  await using place = await makePlace();
  await place.add("honest", "wrong-bytes");
  const args = ["compare", "honest", "wrong-bytes", "smoke"];
  const { code, stderr } = await runWithServer(place, args);
  assertEquals(code, 1, stderr);
  assertStringIncludes(stderr, 'Cannot measure "wrong-bytes"');
  assertEquals(await place.leftovers(), []);
});

Deno.test("noise compares an implementation with itself, and tells how far apart that comes out", async () => {
  await using place = await makePlace();
  const id = await addQuick(place);
  const { code, stdout, stderr } = await runWithServer(place, [
    ...["noise", id, ...inShort, "smoke", "--comparisons", "2"],
  ]);
  // A machine that others keep busy leaves no two comparisons that hold.
  if (/^Cannot compute the noise/m.test(stderr)) {
    return assertMatch(stderr, /^\d of \d rounds are left out/m);
  }
  assertEquals(code, 0, stderr);
  assertMatch(stdout, /^warm goodput {2,}\d+\.\d{3} \(\d+\.\d{3}–\d+\.\d{3}\) {2,}[012] of 2 /m);
  const { summary, comparisons } = noiseFileSchema.parse(
    await readOnlyFile(place.folders.localNoise),
  );
  assertEquals([summary.goodput.comparisons, comparisons.length], [2, 2]);
  assertEquals(comparisons.map(({ startup }) => startup?.rounds), [3, 3]);
  // Loads that others disturb are named, and have no ratio.
  const expected = /p99 is invalid/.test(stderr) ? [3, undefined] : [3];
  for (const { p99AtRate } of comparisons) assert(expected.includes(p99AtRate?.rounds));
});

Deno.test("noise keeps what an interruption leaves, and continues it", async () => {
  await using place = await makePlace();
  const id = await addQuick(place);
  const env = { DATABASE_URL: server.url };
  const { localNoise } = place.folders;
  const args = ["noise", id, "smoke", ...inShort, "--comparisons", "3"];
  await using running = startCommandLine(place, args, { env });
  await running.until(async () => {
    if (!await exists(localNoise)) return false;
    const names = await Array.fromAsync(Deno.readDir(localNoise), ({ name }) => name);
    return names.some((name) => name.endsWith(".json"));
  });
  running.interrupt();
  const { code, stderr } = await running.ended;
  assertEquals(code, 130, stderr);
  const file = noiseFileSchema.parse(await readOnlyFile(localNoise));
  const { length: done } = file.comparisons;
  assertStringIncludes(
    stderr,
    `Kept: ${done} of 3 comparisons, in ${join(localNoise, file.id)}.json\n` +
      `Continue with \`just noise --resume ${file.id}\`\n`,
  );
  const resume = ["noise", "--resume", file.id];
  const resumed = await runWithServer(place, resume);
  assertEquals(resumed.code, 0, resumed.stderr);
  const { comparisons, ...same } = noiseFileSchema.parse(await readOnlyFile(localNoise));
  for (const key of ["id", "seed", "startedAt", "command"] as const) {
    assertEquals(same[key], file[key]);
  }
  assertEquals([comparisons.length, comparisons.slice(0, done)], [3, file.comparisons]);
  const { stderr: refused } = await runWithServer(place, resume);
  assertStringIncludes(refused, `Cannot resume "${file.id}": it has all of its 3 comparisons`);
  assertEquals(await place.leftovers(), []);
});

async function commitAll({ folders: { root, impls } }: Place): Promise<void> {
  const git = async (...args: string[]) => {
    const { success, stderr } = await new Deno.Command("git", {
      args: ["-C", root, "-c", "user.name=Test", "-c", "user.email=test@example.org", ...args],
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
  };
  await git("add", impls);
  await git("commit", "--quiet", "--message", "Implementations");
}

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { comparisonFileSchema } from "../results/files_schema.ts";
import type { Result } from "../results/result_schema.ts";
import { type Ended, makePlace, type Place, runCommandLine } from "../testing/place.ts";
import { addQuick } from "../testing/quick_impl.ts";
import { withoutMachine } from "../testing/of_machine.ts";
import { openServer } from "../testing/server.ts";

/** One for all: that each is stopped without its database is for other tests. */
let server: Awaited<ReturnType<typeof openServer>>;
Deno.test.beforeAll(async () => void (server = await openServer()));
Deno.test.afterAll(async () => await server[Symbol.asyncDispose]());

async function runWithServer(place: Place, args: string[]): Promise<Ended> {
  return await runCommandLine(place, args, { env: { DATABASE_URL: server.url } });
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

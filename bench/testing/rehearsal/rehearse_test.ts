import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { dirname, join } from "@std/path";
import { foldersOf } from "../../cli/folders.ts";
import { BenchError } from "../../lib/error.ts";
import { git } from "../../lib/git.ts";
import { silent } from "../../lib/report.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { readWorkflowFiles } from "../workflow_files.ts";
import { cloneForHere } from "./clone.ts";
import { rehearse } from "./rehearse.ts";

const folders = foldersOf();

Deno.test("rehearse() names a part that there is not, and the actions that are missing, and runs nothing", async () => {
  await using folder = await temporaryFolder();
  const { signal } = new AbortController();
  const said: string[] = [];
  const context = {
    ...{ folders, report: silent, signal, scratch: folder.path },
    print: (text: string) => said.push(text),
  };
  const refuse = (...names: string[]) =>
    assertRejects(() => rehearse(folder.path, names, context), BenchError);
  const unknown = await refuse("smoke", "benhc");
  assertMatch(
    unknown.message,
    /^Cannot rehearse "benhc": there is no such part, expected one of smoke, bench, /,
  );
  const { message, help } = await refuse();
  assertMatch(
    message,
    /^Cannot rehearse: .*\bactions\/checkout@[0-9a-f]{40}\b.* missing, expected act on PATH/,
  );
  assertEquals(help, "CONTRIBUTING.md says how to get them.");
  assertEquals(said, []);
  assertEquals(await Array.fromAsync(Deno.readDir(folder.path)), []);
});

Deno.test("cloneForHere() gives jobs the database that is named, runs one job after the other, and shortens what they measure", async () => {
  await using folder = await temporaryFolder();
  const from = join(folder.path, "from");
  const bare = join(folder.path, "origin.git");
  const plan = "bench/results/profiles.ts";
  for (const path of [".github", plan]) {
    await Deno.mkdir(dirname(join(from, path)), { recursive: true });
    const args = ["-R", join(folders.root, path), join(from, path)];
    assert((await new Deno.Command("cp", { args }).output()).success, path);
  }
  await git(folder.path, "init", "--quiet", "--initial-branch", "main", from);
  await git(folder.path, "init", "--quiet", "--bare", "--initial-branch", "main", bare);
  await git(from, "add", "--all");
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
  await git(from, ...identity, "commit", "--quiet", "--message", "All");
  const root = await cloneForHere(from, { scratch: folder.path, bare, database: "mysqld" });
  const { texts } = await readWorkflowFiles(root);
  const all = [...texts.values()].join("\n");
  assertEquals(
    new Set(all.match(/BACKBENCH_DATABASE: .*/g)),
    new Set(["BACKBENCH_DATABASE: mysqld"]),
  );
  assertEquals(all.match(/max-parallel: 1$/gm)?.length, all.match(/fail-fast: false/g)?.length);
  assertEquals(all.match(/^ *(cache-mode|queue):/gm), null);
  const [short, long] = await Promise.all(
    [root, from].map((folder) => Deno.readTextFile(join(folder, plan))),
  );
  assertNotEquals(short, long);
  assertEquals(await git(root, "rev-parse", "HEAD"), await git(bare, "rev-parse", "main"));
});

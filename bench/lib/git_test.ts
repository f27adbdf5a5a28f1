import { assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { dirname, join } from "@std/path";
import { BenchError } from "./error.ts";
import { commitOf, differsFrom, git, readCheckout, sourcesDigest } from "./git.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";

async function write(root: string, path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(join(root, path)), { recursive: true });
  await Deno.writeTextFile(join(root, path), text);
}

async function commitAll(root: string): Promise<void> {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
  await git(root, "add", "--all", "--force", "--", ".", ":(exclude)**/target");
  await git(root, ...identity, "commit", "--quiet", "--message", "A state");
}

Deno.test("readCheckout() tells what affects a result from what does not", async () => {
  await using folder = await temporaryFolder();
  const root = folder.path;
  const outside = await assertRejects(() => readCheckout(root), BenchError, "Cannot run");
  assertMatch(outside.help ?? "", /^Clone the repository with git: /);
  await git(root, "init", "--quiet");
  const empty = await assertRejects(() => readCheckout(root), BenchError, "Cannot run");
  assertEquals(empty.help, undefined);
  await write(root, ".gitignore", "target/\n");
  await write(root, "impls/one/main.rs", "fn main() {}\n");
  await commitAll(root);
  const first = await readCheckout(root);
  assertEquals(first, { commit: await git(root, "rev-parse", "HEAD"), dirty: false });

  for (const path of ["README.md", "impls/one/target/main"]) {
    await write(root, path, "changed");
    assertEquals((await readCheckout(root)).dirty, false, path);
  }
  // What a person ignores everywhere, and a setting of git that hides new files.
  await write(root, ".git/personal", ".cargo/\n");
  await git(root, "config", "core.excludesFile", ".git/personal");
  await git(root, "config", "status.showUntrackedFiles", "no");
  await write(root, ".git/info/exclude", "new.rs\n");
  for (const path of ["impls/one/main.rs", "impls/one/new.rs", ".cargo/config.toml", "go.work"]) {
    await write(root, path, "changed");
    assertEquals([(await readCheckout(root)).dirty, await differsFrom(root, first.commit)], [
      true,
      true,
    ]);
    await commitAll(root);
    const next = await readCheckout(root);
    assertEquals([next.dirty, await differsFrom(root, next.commit)], [false, false], path);
    assertEquals(await differsFrom(root, first.commit), true, path);
  }
  // What affects no result may be committed meanwhile.
  const before = await readCheckout(root);
  await write(root, "README.md", "once more");
  await commitAll(root);
  assertEquals(await differsFrom(root, before.commit), false);
});

Deno.test("sourcesDigest() is that of the command in the schema, and knows nothing of what impl.toml says", async () => {
  await using folder = await temporaryFolder();
  const root = folder.path;
  await git(root, "init", "--quiet");
  for (const path of ["impls/one/src/main.rs", "impls/one/impl.toml", "impls/two/main.go"]) {
    await write(root, path, path);
  }
  await commitAll(root);
  const digestOf = (id: string) => sourcesDigest(join(root, "impls", id), "HEAD");
  const first = await digestOf("one");
  const command = "git ls-tree -r --full-name HEAD impls/one | grep -v '/impl\\.toml$' | sha256sum";
  const { stdout } = await new Deno.Command("sh", { args: ["-c", command], cwd: root }).output();
  assertEquals(`${first}  -\n`, new TextDecoder().decode(stdout));

  await write(root, "impls/one/impl.toml", "other words");
  await commitAll(root);
  assertEquals(await digestOf("one"), first);
  await write(root, "impls/one/src/main.rs", "other code");
  assertEquals(await digestOf("one"), first, "it is of the commit");
  await commitAll(root);
  assertNotEquals(await digestOf("one"), first);
  await write(root, "impls/three/main.py", "not committed");
  assertEquals(await digestOf("three"), undefined);
});

Deno.test("commitOf() says that git knows no commit of that name only where it can be asked", async () => {
  await using folder = await temporaryFolder();
  const root = folder.path;
  const outside = await assertRejects(() => commitOf(root, "main"), BenchError, "Cannot run");
  assertMatch(outside.help ?? "", /^Clone the repository with git: /);
  await git(root, "init", "--quiet");
  await assertRejects(() => commitOf(root, "main"), BenchError, 'Cannot find commit "main"');
  await write(root, "README.md", "text");
  await commitAll(root);
  assertEquals(await commitOf(root, "HEAD"), await git(root, "rev-parse", "HEAD"));
  await assertRejects(() => commitOf(root, "HEAD:README.md"), BenchError, "Cannot find commit");
});

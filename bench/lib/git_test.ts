import { assertEquals, assertRejects } from "@std/assert";
import { dirname, join } from "@std/path";
import { BenchError } from "./error.ts";
import { git, isChanged, readCheckout } from "./git.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";

async function write(root: string, path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(join(root, path)), { recursive: true });
  await Deno.writeTextFile(join(root, path), text);
}

async function commitAll(root: string): Promise<void> {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
  await git(root, "-c", "core.excludesFile=/dev/null", "add", "--all");
  await git(root, ...identity, "commit", "--quiet", "--message", "A state");
}

Deno.test("readCheckout() tells what affects a result from what does not", async () => {
  await using folder = await temporaryFolder();
  const root = folder.path;
  await git(root, "init", "--quiet");
  await assertRejects(() => readCheckout(root), BenchError, "Cannot run");
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
  for (const path of ["impls/one/main.rs", "impls/one/new.rs", ".cargo/config.toml", "go.work"]) {
    await write(root, path, "changed");
    assertEquals([(await readCheckout(root)).dirty, await isChanged(root, first)], [true, true]);
    await commitAll(root);
    const next = await readCheckout(root);
    assertEquals([next.dirty, await isChanged(root, next), await isChanged(root, first)], [
      ...[false, false],
      true,
    ]);
  }
});

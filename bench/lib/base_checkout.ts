/** A temporary worktree of another commit, for comparing with it. */
import { join } from "@std/path";
import { commitOf, git } from "./git.ts";

/** A worktree of another commit; disposing of it removes it. */
export interface BaseCheckout extends AsyncDisposable {
  folder: string;
  commit: string;
}

/**
 * Checks out a branch, tag or commit into a worktree below `folder`.
 *
 * @throws {BenchError} when git knows no such commit.
 */
export async function checkOutBase(
  root: string,
  base: string,
  { folder }: { folder: string },
): Promise<BaseCheckout> {
  const commit = await commitOf(root, base);
  const target = join(folder, "base");
  await git(root, "worktree", "add", "--detach", "--quiet", target, commit);
  return {
    folder: target,
    commit,
    [Symbol.asyncDispose]: async () => {
      await git(root, "worktree", "remove", "--force", target);
    },
  };
}

/** The clone that a rehearsal runs in. */
import { join } from "@std/path";
import { BenchError } from "../../lib/error.ts";
import { git } from "../../lib/git.ts";

/**
 * Clones what is committed, and changes there what only GitHub has: MySQL comes from the provider that is named, and the
 * jobs of a matrix run one after the other. The change is committed and on the branch, because nothing else is published.
 */
export async function cloneForHere(
  from: string,
  { scratch, bare, database }: { scratch: string; bare: string; database: string },
): Promise<string> {
  const root = join(scratch, "clone");
  await git(scratch, "clone", "--quiet", "--no-hardlinks", from, root);
  const folder = join(root, ".github/workflows");
  for await (const { name } of Deno.readDir(folder)) {
    const path = join(folder, name);
    const text = await Deno.readTextFile(path);
    const changed = text.replaceAll(/^( +BACKBENCH_DATABASE: ).*$/gm, `$1${database}`)
      .replaceAll(/^ +max-parallel: .*\n/gm, "")
      // What act 0.2.89 does not know yet.
      .replaceAll(/^ *(cache-mode|queue): .*\n/gm, "")
      .replaceAll(/^( +)fail-fast: false$/gm, "$&\n$1max-parallel: 1");
    await Deno.writeTextFile(path, changed);
  }
  await shorten(join(root, "bench/results/profiles.ts"));
  const identity = ["-c", "user.name=Rehearsal", "-c", "user.email=rehearsal@example.org"];
  await git(root, ...identity, "commit", "--quiet", "--all", "--message", "For the rehearsal");
  await git(root, "remote", "set-url", "origin", bare);
  await git(root, "push", "--quiet", "origin", "HEAD:refs/heads/main");
  return root;
}

/** What of the profile quick is shortened: only the steps are rehearsed, so figures need not tell anything. */
const shorter: [RegExp, string][] = [
  [/(quick: \{ requests: )50_000/, "$12_000"],
  [
    /(quick: \{\s+\.\.\.everyComparison,\s+budgetSeconds: )110(,\s+minRounds: )5(,[^}]*warmUpRequests: )10_000/,
    "$11$23$31_000",
  ],
  [/(quick: \{ requests[^\n]*startupRuns: )8/, "$14"],
  [/(quick: \{\s+steps: thousands\(1_000), 10_000(\),\s+rounds: )3/, "$1$21"],
  [/(quick: \{\s+ratesPerSecond: )\[[^\]]*\]/, "$1[100, 1_000]"],
  [/(quick: \{\s+ratesPerSecond[^}]*warmUpRequests: )20_000/, "$11_000"],
];

async function shorten(path: string): Promise<void> {
  let text = await Deno.readTextFile(path);
  for (const [long, short] of shorter) {
    if (!long.test(text)) throw new BenchError(`Cannot shorten "${path}": it lacks ${long}`);
    text = text.replace(long, short);
  }
  await Deno.writeTextFile(path, text);
}

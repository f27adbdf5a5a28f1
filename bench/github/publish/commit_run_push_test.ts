/** How `commitRun()` gets its commit onto a branch that others move, too. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { join } from "@std/path";
import { z } from "zod";
import { BenchError } from "../../lib/error.ts";
import { git } from "../../lib/git.ts";
import { type Report, silent } from "../../lib/report.ts";
import { evaluate } from "../../testing/evaluate.ts";
import {
  filesOf,
  makeRemote,
  measured,
  pathOf,
  type Remote,
  runId,
  runIds,
} from "../../testing/remote.ts";
import { commitRun } from "./commit_run.ts";
import { writeProgram } from "../../testing/write_program.ts";

Deno.test("commitRun() of seven publishers at once publishes all their runs", async () => {
  await using remote = await makeRemote();
  const ids = [1, 2, 3, 4, 5, 6, 7].map((day) => `2026010${day}T000000Z-0000000`);
  const roots = await Promise.all(ids.map((id) => remote.clone(id)));
  const folders = await Promise.all(
    ids.map((id) => remote.artifacts(`artifacts-${id}`, filesOf(id, "swift"))),
  );
  const runs = await Promise.all(
    ids.map((id, index) => remote.publish(roots[index]!, folders[index]!, { "jwt-mysql": id })),
  );
  assertEquals(runs.map(({ isNew }) => isNew), ids.map(() => true));
  assertEquals(await remote.published(), ids.map((id) => pathOf("swift", id)));
});

Deno.test("commitRun() publishes on top of a branch that has moved since the checkout", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  await remote.move(await remote.clone("other"), "moved.txt");
  await remote.publish(root, await remote.artifacts("artifacts", filesOf(runId, "swift")));
  assertEquals(await remote.log(), [`data: run ${runId}`, "moved.txt", "README.md"]);
});

/** Has the branch move each time that a checkout is about to push, as often as told. */
async function moveOnPush(remote: Remote, root: string, times: number): Promise<void> {
  const other = await remote.clone("other");
  const hook = join(root, ".git/hooks/pre-push");
  await writeProgram(
    hook,
    `#!/bin/sh
set -eu
unset $(git rev-parse --local-env-vars)
cd '${other}'
count=$(git rev-list --count HEAD)
[ "$count" -le ${times} ] || exit 0
git commit --quiet --allow-empty --message "moved $count"
git push --quiet origin HEAD:main
`,
  );
}

Deno.test("commitRun() tries again when the branch moves between fetch and push", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  await moveOnPush(remote, root, 2);
  const artifacts = await remote.artifacts("artifacts", filesOf(runId, "swift"));
  const { isNew } = await remote.publish(root, artifacts);
  assert(isNew);
  assertEquals(await remote.log(), [`data: run ${runId}`, "moved 2", "moved 1", "README.md"]);
  assertEquals(await git(root, "status", "--porcelain"), "");
});

Deno.test("commitRun() gives up on a branch that moves each time, and leaves the checkout clean", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  await moveOnPush(remote, root, 100);
  const artifacts = await remote.artifacts("artifacts", filesOf(runId, "swift"));
  await assertRejects(() => remote.publish(root, artifacts), BenchError, `Cannot run "git push`);
  assertEquals((await remote.log()).length, 1 + 15);
  assertEquals(await remote.published(), []);
  assertEquals(await git(root, "status", "--porcelain"), "");
});

Deno.test("commitRun() says why a rule of the remote declines the commit, and does not try again", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  await writeProgram(
    join(root, "../remote.git/hooks/pre-receive"),
    "#!/bin/sh\necho 'error: GH013: Repository rule violations found for refs/heads/main.'\nexit 1\n",
  );
  const artifactsFolder = await remote.artifacts("artifacts", filesOf(runId, "swift"));
  const lines: string[] = [];
  const report: Report = { ...silent, line: (text) => void lines.push(text) };
  const { signal } = new AbortController();
  const error = await assertRejects(
    () => commitRun(runIds, { ...measured, artifactsFolder, root, branch: "main", report, signal }),
    BenchError,
    `Cannot run "git push`,
  );
  assertMatch(error.help ?? "", /^!.*\[remote rejected\] \(pre-receive hook declined\)$/m);
  assertStringIncludes(error.help ?? "", "GH013: Repository rule violations found");
  assertEquals(lines, []);
  assertEquals(await remote.log(), ["README.md"]);
});

/** Publishes from these checkouts at once, in a process that has these variables, which git inherits. */
async function publishWith(
  env: Record<string, string>,
  roots: string[],
  artifactsFolder: string,
): Promise<{ isNew: boolean; commit: string }[]> {
  const rest = { artifactsFolder, branch: "main", attempts: 1, pauseMs: 20 };
  const options = JSON.stringify({ ...measured, ...rest });
  const report = "{ line: () => {}, progress: () => {} }";
  return z.array(z.object({ isNew: z.boolean(), commit: z.string() })).parse(
    await evaluate(
      `Promise.all(${JSON.stringify(roots)}.map((root) => module.commitRun(${
        JSON.stringify(runIds)
      }, { ...${options}, root, report: ${report}, signal: AbortSignal.timeout(60_000) })))`,
      { env, module: import.meta.resolve("./commit_run.ts") },
    ),
  );
}

Deno.test("commitRun() of two publishers of one run at once, in the same second, publishes it once", async () => {
  await using remote = await makeRemote();
  const artifacts = await remote.artifacts("artifacts", filesOf(runId, "swift"));
  const roots = [await remote.clone("one"), await remote.clone("two")];
  const second = "2026-01-05T00:00:00Z";
  const env = { GIT_AUTHOR_DATE: second, GIT_COMMITTER_DATE: second };
  const runs = await publishWith(env, roots, artifacts);
  assertEquals(runs.map(({ isNew }) => isNew).sort(), [false, true]);
  assertEquals(runs[0]!.commit, runs[1]!.commit);
  assertEquals(await remote.log(), [`data: run ${runId}`, "README.md"]);
});

Deno.test("commitRun() needs no identity of git's, as a job has none", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  for (const key of ["user.name", "user.email"]) await git(root, "config", "--unset", key);
  await git(root, "config", "user.useConfigOnly", "true");
  const nothing = {
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    HOME: "/nonexistent",
  };
  const artifacts = await remote.artifacts("artifacts", filesOf(runId, "swift"));
  const [run] = await publishWith(nothing, [root], artifacts);
  assertEquals(run!.isNew, true);
  assertEquals(await git(root, "log", "-1", "--format=%an"), "github-actions[bot]");
});

Deno.test("commitRun() stops between two attempts when it is told to", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  await moveOnPush(remote, root, 100);
  const artifactsFolder = await remote.artifacts("artifacts", filesOf(runId, "swift"));
  const controller = new AbortController();
  const report: Report = { ...silent, line: () => controller.abort(new Error("stopped")) };
  const { signal } = controller;
  await assertRejects(
    () => commitRun(runIds, { ...measured, artifactsFolder, root, branch: "main", report, signal }),
    Error,
    "stopped",
  );
  assertEquals(await remote.log(), ["moved 1", "README.md"]);
  assertEquals(await git(root, "status", "--porcelain"), "");
});

Deno.test("commitRun() publishes from a checkout of the last commit alone, as jobs have it", async () => {
  await using remote = await makeRemote();
  const other = await remote.clone("other");
  await remote.move(other, "before.txt");
  const root = await remote.clone("checkout", "--depth", "1");
  assertEquals(await git(root, "rev-list", "--count", "HEAD"), "1");
  await remote.move(other, "moved.txt");
  await remote.publish(root, await remote.artifacts("artifacts", filesOf(runId, "swift")));
  assertEquals(
    await remote.log(),
    [`data: run ${runId}`, "moved.txt", "before.txt", "README.md"],
  );
});

Deno.test("commitRun() publishes no commit of the checkout's own", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  await git(root, "commit", "--quiet", "--allow-empty", "--message", "of its own");
  await remote.move(await remote.clone("other"), "moved.txt");
  const artifacts = await remote.artifacts("artifacts", filesOf(runId, "swift"));
  await assertRejects(() => remote.publish(root, artifacts), BenchError, `Cannot run "git merge`);
  assertEquals(await remote.log(), ["moved.txt", "README.md"]);
});

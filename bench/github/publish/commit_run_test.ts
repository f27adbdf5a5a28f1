import { z } from "zod";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { dirname, join } from "@std/path";
import { BenchError } from "../../lib/error.ts";
import { exampleRun } from "../../testing/example_run.ts";
import { git } from "../../lib/git.ts";
import { onFullDisk } from "../../testing/full_disk.ts";
import { type Report, silent } from "../../lib/report.ts";
import type { Result } from "../../results/result_schema.ts";
import type { RunIds } from "../run_ids.ts";
import { evaluate } from "../../testing/evaluate.ts";
import { commitRun } from "./commit_run.ts";

const runId = "20260105T000000Z-0000000";
const runIds = { "jwt-mysql": runId };

/** A bare remote with one commit, checkouts of it, and folders of artifacts. */
interface Place extends AsyncDisposable {
  /** Clones the remote. */
  clone(name: string, ...options: string[]): Promise<string>;
  /** Makes a folder of artifacts, and returns its path. */
  artifacts(name: string, files: Record<string, string>): Promise<string>;
  /** Publishes from a checkout. */
  publish(
    root: string,
    artifactsFolder: string,
    ids?: RunIds,
    attempts?: number,
  ): ReturnType<typeof commitRun>;
  /** Returns the subjects of the remote's commits, the newest first. */
  log(): Promise<string[]>;
  /** Returns the paths of published runs on the remote. */
  published(): Promise<string[]>;
  /** Pushes a commit that has nothing to do with runs. */
  move(root: string, name: string): Promise<void>;
}

async function makePlace(): Promise<Place> {
  const folder = await Deno.makeTempDir();
  const remote = join(folder, "remote.git");
  await Deno.mkdir(remote);
  await git(remote, "init", "--quiet", "--bare", "--initial-branch", "main");
  const clone = async (name: string, ...options: string[]) => {
    await git(folder, "clone", "--quiet", ...options, `file://${remote}`, name);
    const root = join(folder, name);
    await git(root, "config", "user.name", "Test");
    await git(root, "config", "user.email", "test@example.org");
    return root;
  };
  const move = async (root: string, name: string) => {
    await Deno.writeTextFile(join(root, name), name);
    await git(root, "add", name);
    await git(root, "commit", "--quiet", "--message", name);
    await git(root, "push", "--quiet", "origin", "HEAD:main");
  };
  const first = await clone("first");
  await git(first, "switch", "--quiet", "--orphan", "main");
  await move(first, "README.md");
  return {
    clone,
    move,
    artifacts: async (name, files) => {
      for (const [path, text] of Object.entries(files)) {
        await Deno.mkdir(dirname(join(folder, name, path)), { recursive: true });
        await Deno.writeTextFile(join(folder, name, path), text);
      }
      return join(folder, name);
    },
    publish: (root, artifactsFolder, ids = runIds, attempts = 1) => {
      const { signal } = new AbortController();
      const place = { artifactsFolder, root, branch: "main" };
      return commitRun(ids, { ...place, attempts, pauseMs: 20, report: silent, signal });
    },
    log: async () => (await git(remote, "log", "--format=%s", "main")).split("\n"),
    published: async () =>
      (await git(remote, "ls-tree", "-r", "--name-only", "main", "site/data/runs/"))
        .split("\n").filter((path) => path !== ""),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Returns a result of a run as its job writes it. */
function textOf(implId: string, change: (result: Result) => void = () => {}, id = runId): string {
  const result = exampleRun(id).find(({ impl }) => impl.id === implId)!;
  change(result);
  return JSON.stringify(result, null, 2) + "\n";
}

/** Returns the files of artifacts: one for each job, with the folder of its run in it. */
function filesOf(id: string, ...implIds: string[]): Record<string, string> {
  return Object.fromEntries(
    implIds.map((implId) => [
      `result-jwt-mysql-${implId}.1/${id}/${implId}.json`,
      textOf(implId, () => {}, id),
    ]),
  );
}

const pathOf = (implId: string, id = runId) => `site/data/runs/${id}/${implId}.json`;

Deno.test("commitRun() publishes all artifacts of a run in one commit, byte for byte", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  const artifacts = await place.artifacts("artifacts", filesOf(runId, "swift", "even"));
  const { commit, isNew, results, damaged } = await place.publish(root, artifacts);
  assertEquals(results.map(({ impl }) => impl.id), ["even", "swift"]);
  assertEquals([isNew, damaged], [true, []]);
  assertEquals(await place.log(), [`data: run ${runId}`, "README.md"]);
  assertEquals(await place.published(), [pathOf("even"), pathOf("swift")]);
  // The site is built from the checkout.
  assertEquals(await git(root, "rev-parse", "HEAD"), commit);
  assertEquals(await git(root, "status", "--porcelain"), "");
  assertEquals(await Deno.readTextFile(join(root, pathOf("swift"))), textOf("swift"));
});

Deno.test("commitRun() publishes the runs of several scenarios in one commit, and later the one that was missing", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  const helloId = "20260105T000001Z-0000000";
  const both = { ...runIds, hello: helloId };
  const hello = {
    "result-hello-swift.1/swift.json": textOf(
      "swift",
      (result) => result.scenario = "hello",
      helloId,
    ),
  };
  const jwt = filesOf(runId, "swift");
  const artifacts = await place.artifacts("both", { ...jwt, ...hello });
  await place.publish(root, artifacts, both);
  assertEquals(await place.log(), [`data: run ${helloId} and ${runId}`, "README.md"]);
  assertEquals(await place.published(), [pathOf("swift"), pathOf("swift", helloId)]);

  await using other = await makePlace();
  const checkout = await other.clone("checkout");
  await other.publish(checkout, await other.artifacts("one", jwt), both);
  const { isNew } = await other.publish(
    checkout,
    await other.artifacts("two", { ...jwt, ...hello }),
    both,
  );
  assertEquals(isNew, true);
  assertEquals(await other.log(), [`data: run ${helloId}`, `data: run ${runId}`, "README.md"]);
});

Deno.test("commitRun() does nothing where the same run is published already", async () => {
  await using place = await makePlace();
  const artifacts = await place.artifacts("artifacts", filesOf(runId, "swift"));
  const first = await place.publish(await place.clone("one"), artifacts);
  const other = await place.clone("two");
  await place.move(other, "later.txt");
  const second = await place.publish(other, artifacts);
  assertEquals([first.isNew, second.isNew], [true, false]);
  assertEquals(await place.log(), ["later.txt", `data: run ${runId}`, "README.md"]);
});

Deno.test("commitRun() never changes a published run, nor adds to it", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  await place.publish(root, await place.artifacts("first", filesOf(runId, "swift")));
  const message = (implId: string) =>
    `Cannot publish "${runId}": it is published already, and differs in ${pathOf(implId)}`;
  const changed = await place.artifacts("changed", {
    "result-jwt-mysql-swift.1/swift.json": textOf("swift", (result) => result.buildSeconds = 1),
  });
  await assertRejects(() => place.publish(root, changed), BenchError, message("swift"));
  const more = await place.artifacts("more", filesOf(runId, "swift", "even"));
  await assertRejects(() => place.publish(root, more), BenchError, message("even"));
  assertEquals(await place.log(), [`data: run ${runId}`, "README.md"]);
});

/** What the second attempt of a workflow's run makes. */
const secondId = "20260105T000100Z-0000000";

Deno.test("commitRun() publishes what a later attempt measured again as a run of its own", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  const first = await place.publish(
    root,
    await place.artifacts("first", filesOf(runId, "swift", "even")),
  );
  assertEquals(first.runIds, runIds);
  // The later attempt replaced the artifact of what it measured.
  const artifacts = await place.artifacts("second", {
    ...filesOf(runId, "swift"),
    ...filesOf(secondId, "even"),
  });
  const { isNew, runIds: followed } = await place.publish(root, artifacts, runIds, 2);
  assertEquals([isNew, followed], [true, { "jwt-mysql": secondId }]);
  assertEquals(await place.log(), [`data: run ${secondId}`, `data: run ${runId}`, "README.md"]);
  assertEquals(
    await place.published(),
    [pathOf("even"), pathOf("swift"), pathOf("even", secondId)],
  );
  // A third one, of which only the publishing was repeated.
  const again = await place.publish(root, artifacts, runIds, 3);
  assertEquals([again.isNew, again.runIds], [false, { "jwt-mysql": secondId }]);
});

Deno.test("commitRun() of a later attempt publishes what the first could not, and follows the fuller run", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  const artifacts = await place.artifacts("artifacts", {
    ...filesOf(runId, "swift", "freezing"),
    ...filesOf(secondId, "even"),
  });
  const { runIds: followed } = await place.publish(root, artifacts, runIds, 2);
  assertEquals(followed, runIds);
  assertEquals(
    await place.published(),
    [pathOf("freezing"), pathOf("swift"), pathOf("even", secondId)],
  );
});

Deno.test("commitRun() of seven publishers at once publishes all their runs", async () => {
  await using place = await makePlace();
  const ids = [1, 2, 3, 4, 5, 6, 7].map((day) => `2026010${day}T000000Z-0000000`);
  const roots = await Promise.all(ids.map((id) => place.clone(id)));
  const folders = await Promise.all(
    ids.map((id) => place.artifacts(`artifacts-${id}`, filesOf(id, "swift"))),
  );
  const runs = await Promise.all(
    ids.map((id, index) => place.publish(roots[index]!, folders[index]!, { "jwt-mysql": id })),
  );
  assertEquals(runs.map(({ isNew }) => isNew), ids.map(() => true));
  assertEquals(await place.published(), ids.map((id) => pathOf("swift", id)));
});

Deno.test("commitRun() publishes on top of a branch that has moved since the checkout", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  await place.move(await place.clone("other"), "moved.txt");
  await place.publish(root, await place.artifacts("artifacts", filesOf(runId, "swift")));
  assertEquals(await place.log(), [`data: run ${runId}`, "moved.txt", "README.md"]);
});

/** Has the branch move each time that a checkout is about to push, as often as told. */
async function moveOnPush(place: Place, root: string, times: number): Promise<void> {
  const other = await place.clone("other");
  const hook = join(root, ".git/hooks/pre-push");
  await Deno.writeTextFile(
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
    { mode: 0o755 },
  );
}

Deno.test("commitRun() tries again when the branch moves between fetch and push", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  await moveOnPush(place, root, 2);
  const artifacts = await place.artifacts("artifacts", filesOf(runId, "swift"));
  const { isNew } = await place.publish(root, artifacts);
  assert(isNew);
  assertEquals(await place.log(), [`data: run ${runId}`, "moved 2", "moved 1", "README.md"]);
  assertEquals(await git(root, "status", "--porcelain"), "");
});

Deno.test("commitRun() gives up on a branch that moves each time, and leaves the checkout clean", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  await moveOnPush(place, root, 100);
  const artifacts = await place.artifacts("artifacts", filesOf(runId, "swift"));
  await assertRejects(() => place.publish(root, artifacts), BenchError, `Cannot run "git push`);
  assertEquals((await place.log()).length, 1 + 15);
  assertEquals(await place.published(), []);
  assertEquals(await git(root, "status", "--porcelain"), "");
});

Deno.test("commitRun() says why a rule of the remote declines the commit, and does not try again", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  await Deno.writeTextFile(
    join(root, "../remote.git/hooks/pre-receive"),
    "#!/bin/sh\necho 'error: GH013: Repository rule violations found for refs/heads/main.'\nexit 1\n",
    { mode: 0o755 },
  );
  const artifactsFolder = await place.artifacts("artifacts", filesOf(runId, "swift"));
  const lines: string[] = [];
  const report: Report = { ...silent, line: (text) => void lines.push(text) };
  const { signal } = new AbortController();
  const error = await assertRejects(
    () => commitRun(runIds, { artifactsFolder, root, branch: "main", report, signal }),
    BenchError,
    `Cannot run "git push`,
  );
  assertMatch(error.help ?? "", /^!.*\[remote rejected\] \(pre-receive hook declined\)$/m);
  assertStringIncludes(error.help ?? "", "GH013: Repository rule violations found");
  assertEquals(lines, []);
  assertEquals(await place.log(), ["README.md"]);
});

/** Publishes from these checkouts at once, in a process that has these variables, which git inherits. */
async function publishWith(
  env: Record<string, string>,
  roots: string[],
  artifactsFolder: string,
): Promise<{ isNew: boolean; commit: string }[]> {
  const options = JSON.stringify({ artifactsFolder, branch: "main", attempts: 1, pauseMs: 20 });
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
  await using place = await makePlace();
  const artifacts = await place.artifacts("artifacts", filesOf(runId, "swift"));
  const roots = [await place.clone("one"), await place.clone("two")];
  const second = "2026-01-05T00:00:00Z";
  const env = { GIT_AUTHOR_DATE: second, GIT_COMMITTER_DATE: second };
  const runs = await publishWith(env, roots, artifacts);
  assertEquals(runs.map(({ isNew }) => isNew).sort(), [false, true]);
  assertEquals(runs[0]!.commit, runs[1]!.commit);
  assertEquals(await place.log(), [`data: run ${runId}`, "README.md"]);
});

Deno.test("commitRun() needs no identity of git's, as a job has none", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  for (const key of ["user.name", "user.email"]) await git(root, "config", "--unset", key);
  await git(root, "config", "user.useConfigOnly", "true");
  const nothing = {
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    HOME: "/nonexistent",
  };
  const artifacts = await place.artifacts("artifacts", filesOf(runId, "swift"));
  const [run] = await publishWith(nothing, [root], artifacts);
  assertEquals(run!.isNew, true);
  assertEquals(await git(root, "log", "-1", "--format=%an"), "github-actions[bot]");
});

Deno.test("commitRun() publishes nothing where the disk is full, and all once there is room", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  const artifacts = await place.artifacts("artifacts", filesOf(runId, "swift", "even"));
  const { stdout } = await onFullDisk(
    join(root, ".git/objects"),
    [
      `import { commitRun } from "${new URL("commit_run.ts", import.meta.url)}";`,
      `import { silent } from "${new URL("../../lib/report.ts", import.meta.url)}";`,
      `const options = ${JSON.stringify({ artifactsFolder: artifacts, root, branch: "main" })};`,
      "const { signal } = new AbortController();",
      `await commitRun(${JSON.stringify(runIds)}, { ...options, report: silent, signal })`,
      `  .catch(({ message, help }) => console.log(message + "\\n" + help));`,
    ].join("\n"),
  );
  assertStringIncludes(stdout, "No space left on device");
  assertEquals(await place.published(), []);
  assertEquals(await place.log(), ["README.md"]);
  assert((await place.publish(root, artifacts)).isNew);
  assertEquals(await place.published(), [pathOf("even"), pathOf("swift")]);
});

Deno.test("commitRun() publishes the others where an artifact is damaged, and names it", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  const artifacts = await place.artifacts("artifacts", {
    ...filesOf(runId, "swift", "even"),
    "result-jwt-mysql-even.1/even.json": '{"schemaVersion": 1',
    [`result-jwt-mysql-even.1/${runId}/even.json`]: textOf("even").replace('"Even"', "1"),
  });
  const { results, damaged } = await place.publish(root, artifacts);
  assertEquals(results.map(({ impl }) => impl.id), ["swift"]);
  assertEquals(damaged.map((problem) => problem.slice(0, problem.indexOf(":"))), [
    `Cannot parse "result-jwt-mysql-even.1/${runId}/even.json"`,
    `Cannot parse "result-jwt-mysql-even.1/even.json"`,
  ]);
  assertEquals(await place.published(), [pathOf("swift")]);
});

Deno.test("commitRun() publishes nothing where no artifact is good", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  const artifacts = await place.artifacts("artifacts", {
    "result-jwt-mysql-swift.1/swift.json": "",
  });
  await assertRejects(
    () => place.publish(root, artifacts),
    BenchError,
    `Cannot publish a run: no result in "${artifacts}" is good, expected one`,
  );
  assertEquals(await place.log(), ["README.md"]);
});

Deno.test("commitRun() publishes no commit of the checkout's own", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  await git(root, "commit", "--quiet", "--allow-empty", "--message", "of its own");
  await place.move(await place.clone("other"), "moved.txt");
  const artifacts = await place.artifacts("artifacts", filesOf(runId, "swift"));
  await assertRejects(() => place.publish(root, artifacts), BenchError, `Cannot run "git merge`);
  assertEquals(await place.log(), ["moved.txt", "README.md"]);
});

Deno.test("commitRun() stops between two attempts when it is told to", async () => {
  await using place = await makePlace();
  const root = await place.clone("checkout");
  await moveOnPush(place, root, 100);
  const artifactsFolder = await place.artifacts("artifacts", filesOf(runId, "swift"));
  const controller = new AbortController();
  const report: Report = { ...silent, line: () => controller.abort(new Error("stopped")) };
  const { signal } = controller;
  await assertRejects(
    () => commitRun(runIds, { artifactsFolder, root, branch: "main", report, signal }),
    Error,
    "stopped",
  );
  assertEquals(await place.log(), ["moved 1", "README.md"]);
  assertEquals(await git(root, "status", "--porcelain"), "");
});

Deno.test("commitRun() publishes from a checkout of the last commit alone, as jobs have it", async () => {
  await using place = await makePlace();
  const other = await place.clone("other");
  await place.move(other, "before.txt");
  const root = await place.clone("checkout", "--depth", "1");
  assertEquals(await git(root, "rev-list", "--count", "HEAD"), "1");
  await place.move(other, "moved.txt");
  await place.publish(root, await place.artifacts("artifacts", filesOf(runId, "swift")));
  assertEquals(
    await place.log(),
    [`data: run ${runId}`, "moved.txt", "before.txt", "README.md"],
  );
});

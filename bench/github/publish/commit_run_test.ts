/** What `commitRun()` publishes. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { join } from "@std/path";
import { BenchError } from "../../lib/error.ts";
import { git } from "../../lib/git.ts";
import { onFullDisk } from "../../testing/full_disk.ts";
import {
  filesOf,
  makeRemote,
  measured,
  pathOf,
  runId,
  runIds,
  textOf,
} from "../../testing/remote.ts";

Deno.test("commitRun() publishes all artifacts of a run in one commit, byte for byte", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  const artifacts = await remote.artifacts("artifacts", filesOf(runId, "swift", "even"));
  const { commit, isNew, results, damaged } = await remote.publish(root, artifacts);
  assertEquals(results.map(({ impl }) => impl.id), ["even", "swift"]);
  assertEquals([isNew, damaged], [true, []]);
  assertEquals(await remote.log(), [`data: run ${runId}`, "README.md"]);
  assertEquals(await remote.published(), [pathOf("even"), pathOf("swift")]);
  // The workflow that publishes deploys by itself.
  assertMatch(await git(root, "log", "-1", "--format=%b"), /^\[skip ci\]\n\nPublished-By: \S+$/);
  // The site is built from the checkout.
  assertEquals(await git(root, "rev-parse", "HEAD"), commit);
  assertEquals(await git(root, "status", "--porcelain"), "");
  assertEquals(await Deno.readTextFile(join(root, pathOf("swift"))), textOf("swift"));
});

const helloId = "20260105T000001Z-0000000";
const both = { ...runIds, hello: helloId };
const hello = {
  "result-hello-swift.1/swift.json": textOf(
    "swift",
    (result) => result.scenario = "hello",
    helloId,
  ),
};

Deno.test("commitRun() publishes the runs of several scenarios in one commit, and later the one that was missing", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  const jwt = filesOf(runId, "swift");
  const artifacts = await remote.artifacts("both", { ...jwt, ...hello });
  await remote.publish(root, artifacts, both);
  assertEquals(await remote.log(), [`data: run ${helloId} and ${runId}`, "README.md"]);
  assertEquals(await remote.published(), [pathOf("swift"), pathOf("swift", helloId)]);

  await using other = await makeRemote();
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
  await using remote = await makeRemote();
  const artifacts = await remote.artifacts("artifacts", filesOf(runId, "swift"));
  const first = await remote.publish(await remote.clone("one"), artifacts);
  const other = await remote.clone("two");
  await remote.move(other, "later.txt");
  const second = await remote.publish(other, artifacts);
  assertEquals([first.isNew, second.isNew], [true, false]);
  assertEquals(await remote.log(), ["later.txt", `data: run ${runId}`, "README.md"]);
});

Deno.test("commitRun() never changes a published run, nor adds to it", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  await remote.publish(root, await remote.artifacts("first", filesOf(runId, "swift")));
  const message = (implId: string) =>
    `Cannot publish "${runId}": it is published already, and differs in ${pathOf(implId)}`;
  const changed = await remote.artifacts("changed", {
    "result-jwt-mysql-swift.1/swift.json": textOf("swift", (result) => result.buildSeconds = 1),
  });
  await assertRejects(() => remote.publish(root, changed), BenchError, message("swift"));
  const more = await remote.artifacts("more", filesOf(runId, "swift", "even"));
  await assertRejects(() => remote.publish(root, more), BenchError, message("even"));
  assertEquals(await remote.log(), [`data: run ${runId}`, "README.md"]);
});

/** What the second attempt of a workflow's run makes. */
const secondId = "20260105T000100Z-0000000";

Deno.test("commitRun() publishes the other runs where one is published already, and names that", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  await remote.publish(root, await remote.artifacts("first", filesOf(runId, "swift")));
  const files = { ...filesOf(runId, "even"), ...hello };
  const artifacts = await remote.artifacts("second", files);
  const { isNew, damaged, results, runIds } = await remote.publish(root, artifacts, both);
  assertEquals(results.map(({ runId }) => runId), [helloId]);
  assertEquals([isNew, runIds], [true, { hello: helloId }]);
  assertEquals(damaged, [
    `Cannot publish "${runId}": it is published already, and differs in ${pathOf("even")}`,
  ]);
  assertEquals(await remote.log(), [`data: run ${helloId}`, `data: run ${runId}`, "README.md"]);
});

Deno.test("commitRun() publishes what a later attempt measured again as a run of its own", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  const first = await remote.publish(
    root,
    await remote.artifacts("first", filesOf(runId, "swift", "even")),
  );
  assertEquals(first.runIds, runIds);
  // The later attempt replaced the artifact of what it measured.
  const artifacts = await remote.artifacts("second", {
    ...filesOf(runId, "swift"),
    ...filesOf(secondId, "even"),
  });
  const { isNew, runIds: followed } = await remote.publish(root, artifacts, runIds, 2);
  assertEquals([isNew, followed], [true, { "jwt-mysql": secondId }]);
  assertEquals(await remote.log(), [`data: run ${secondId}`, `data: run ${runId}`, "README.md"]);
  assertEquals(
    await remote.published(),
    [pathOf("even"), pathOf("swift"), pathOf("even", secondId)],
  );
  // A third one, of which only the publishing was repeated.
  const again = await remote.publish(root, artifacts, runIds, 3);
  assertEquals([again.isNew, again.runIds], [false, { "jwt-mysql": secondId }]);
});

Deno.test("commitRun() of a later attempt publishes what the first could not, and follows the fuller run", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  const artifacts = await remote.artifacts("artifacts", {
    ...filesOf(runId, "swift", "freezing"),
    ...filesOf(secondId, "even"),
  });
  const { runIds: followed } = await remote.publish(root, artifacts, runIds, 2);
  assertEquals(followed, runIds);
  assertEquals(
    await remote.published(),
    [pathOf("freezing"), pathOf("swift"), pathOf("even", secondId)],
  );
});

Deno.test("commitRun() publishes nothing where the disk is full, and all once there is room", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  const artifacts = await remote.artifacts("artifacts", filesOf(runId, "swift", "even"));
  const { stdout } = await onFullDisk(
    join(root, ".git/objects"),
    [
      `import { commitRun } from "${new URL("commit_run.ts", import.meta.url)}";`,
      `import { silent } from "${new URL("../../lib/report.ts", import.meta.url)}";`,
      `const options = ${
        JSON.stringify({ ...measured, artifactsFolder: artifacts, root, branch: "main" })
      };`,
      "const { signal } = new AbortController();",
      `await commitRun(${JSON.stringify(runIds)}, { ...options, report: silent, signal })`,
      `  .catch(({ message, help }) => console.log(message + "\\n" + help));`,
    ].join("\n"),
  );
  assertStringIncludes(stdout, "No space left on device");
  assertEquals(await remote.published(), []);
  assertEquals(await remote.log(), ["README.md"]);
  assert((await remote.publish(root, artifacts)).isNew);
  assertEquals(await remote.published(), [pathOf("even"), pathOf("swift")]);
});

Deno.test("commitRun() publishes the others where an artifact is damaged, and names it", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  const artifacts = await remote.artifacts("artifacts", {
    ...filesOf(runId, "swift", "even"),
    "result-jwt-mysql-even.1/even.json": '{"schemaVersion": 1',
    [`result-jwt-mysql-even.1/${runId}/even.json`]: textOf("even").replace('"Even"', "1"),
  });
  const { results, damaged } = await remote.publish(root, artifacts);
  assertEquals(results.map(({ impl }) => impl.id), ["swift"]);
  assertEquals(damaged.map((problem) => problem.slice(0, problem.indexOf(":"))), [
    `Cannot parse "result-jwt-mysql-even.1/${runId}/even.json"`,
    `Cannot parse "result-jwt-mysql-even.1/even.json"`,
  ]);
  assertEquals(await remote.published(), [pathOf("swift")]);
});

Deno.test("commitRun() publishes nothing where no artifact is good", async () => {
  await using remote = await makeRemote();
  const root = await remote.clone("checkout");
  const artifacts = await remote.artifacts("artifacts", {
    "result-jwt-mysql-swift.1/swift.json": "",
  });
  await assertRejects(
    () => remote.publish(root, artifacts),
    BenchError,
    `Cannot publish a run: no result in "${artifacts}" is good, expected one`,
  );
  assertEquals(await remote.log(), ["README.md"]);
});

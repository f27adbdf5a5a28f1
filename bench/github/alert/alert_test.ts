/** What becomes of the issues, run after run. */
import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { BenchError } from "../../lib/error.ts";
import { silent } from "../../lib/report.ts";
import type { Result } from "../../results/result_schema.ts";
import { environmentOf, serveGitHub } from "../../testing/fake_github.ts";
import { asMeasured, measured } from "../../testing/remote.ts";
import {
  ids,
  now,
  publishWeeks,
  rerunId,
  rerunText,
  runIdOf,
  runOf,
} from "../../testing/weekly_runs.ts";
import { readIssues, sendAlerts } from "./alert.ts";

/** The artifact of the second measurement. */
const rerunName = `rerun-${rerunId}-jwt-mysql-swift.1`;

Deno.test("regressions and alert go on where issues are disabled, and say so", async () => {
  await using weeks = await publishWeeks();
  await using github = serveGitHub({ hasIssues: false });
  await weeks.publish(runOf(now, 500));
  await weeks.leave(`${rerunName}/swift.json`, rerunText(500));
  const lines: string[] = [];
  const report = { ...silent, line: (line: string) => lines.push(line) };
  const { signal } = new AbortController();
  assertEquals(await readIssues(environmentOf(github), { report, signal }), []);
  assertEquals(lines, ["backbench/backbench has issues disabled: no level was accepted"]);
  const { artifactsFolder, publishedRuns, impls } = weeks;
  const damaged = await sendAlerts(
    { runIds: ids(now), rerunIds: ids(rerunId), artifactsFolder, plans: measured.plans },
    { publishedRuns, impls, environment: environmentOf(github), report, signal },
  );
  assertEquals([damaged, lines.slice(1)], [[], [
    "backbench/backbench has issues disabled: regressions are reported to nobody",
  ]]);
  assertEquals(github.writes, []);
});

Deno.test("alert closes the issue of an implementation that is gone, whatever was measured", async () => {
  await using weeks = await publishWeeks();
  await using github = serveGitHub();
  await weeks.publish(runOf(now, 500));
  await weeks.leave(`${rerunName}/swift.json`, rerunText(500));
  await weeks.alert(now, github);
  weeks.impls.splice(weeks.impls.findIndex(({ implId }) => implId === "swift"), 1);
  const line = "swift: removed, closed #1";
  assertEquals(await weeks.alert(now, github), { line, damaged: [] });
  const [issue, ...others] = github.issues;
  assertEquals([issue?.state, issue?.state_reason, others], ["closed", "completed", []]);
  assertStringIncludes(
    issue?.comments[0] ?? "",
    "`impls/swift` was removed, or no longer lists the scenario `jwt-mysql`",
  );
});

Deno.test("alert opens, rewrites and closes one issue over the life of a regression", async () => {
  await using weeks = await publishWeeks();
  await using github = serveGitHub();
  await weeks.publish(runOf(now, 500));
  await weeks.leave(`${rerunName}/swift.json`, rerunText(500));
  assertEquals(await weeks.alert(now, github), { line: "swift: opened #1", damaged: [] });
  assertEquals(github.writes, ["POST labels", "POST issues"]);
  assertEquals(github.labels, ["bug", "regression"]);
  const [issue] = github.issues;
  assertEquals([issue!.title, issue!.labels], ["Regression: swift, jwt-mysql", ["regression"]]);
  assertStringIncludes(
    issue!.body,
    "| `highest sustainable rate`, requests/s | 2,000 (median of 5 runs) | 500 | 75.0 % | 12.9 % | 500, 75.0 % worse: **confirmed** |",
  );

  await weeks.publish(runOf(runIdOf(10), 500));
  assertEquals((await weeks.alert(runIdOf(10), github)).line, "swift: rewrote #1");
  assertStringIncludes(issue!.body, `Last measured in [run ${runIdOf(10)}]`);

  await weeks.publish(runOf(runIdOf(11), 2_000));
  assertEquals((await weeks.alert(runIdOf(11), github)).line, "swift: nothing to say");
  await weeks.publish(runOf(runIdOf(12), 2_000));
  assertEquals((await weeks.alert(runIdOf(12), github)).line, "swift: closed #1");
  assertEquals([issue!.state, issue!.state_reason], ["closed", "completed"]);
  assertStringIncludes(issue!.comments[0]!, `Fixed in [run ${runIdOf(12)}]`);

  await weeks.publish(runOf(runIdOf(13), 2_000));
  assertEquals((await weeks.alert(runIdOf(13), github)).line, "swift: nothing to say");
  assertEquals(github.writes.slice(2), [
    "PATCH issues/1",
    "POST issues/1/comments",
    "PATCH issues/1",
  ]);
});

Deno.test("alert opens an issue of the scenario that regressed, and leaves that of another alone", async () => {
  await using weeks = await publishWeeks();
  await using github = serveGitHub();
  const helloId = (week: number) => runIdOf(week).replace("00Z", "01Z");
  const hello = (id: string, sustainable: number) =>
    runOf(id, sustainable).filter(({ impl }) => impl.id === "swift")
      .map((result): Result => ({ ...result, scenario: "hello" }));
  for (const week of [1, 2, 3, 4, 5]) await weeks.publish(hello(helloId(week), 2_000));
  await weeks.publish(runOf(now, 2_000));
  await weeks.publish(hello(helloId(6), 500));
  const rerun = asMeasured(hello(helloId(8), 500)[0]!);
  await weeks.leave(`rerun-${rerunId}-hello-swift.1/swift.json`, JSON.stringify(rerun));
  const lines: string[] = [];
  await sendAlerts({
    runIds: { ...ids(now), hello: helloId(6) },
    rerunIds: { ...ids(rerunId), hello: helloId(8) },
    artifactsFolder: weeks.artifactsFolder,
    plans: measured.plans,
  }, {
    publishedRuns: weeks.publishedRuns,
    impls: [...weeks.impls, { implId: "swift", scenario: "hello" }],
    environment: environmentOf(github),
    report: { ...silent, line: (text) => void lines.push(text) },
    signal: AbortSignal.timeout(30_000),
  });
  assertEquals(lines.filter((line) => line.startsWith("swift")), [
    "swift, jwt-mysql: nothing to say",
    "swift, hello: opened #1",
  ]);
  assertEquals(github.issues.map(({ title }) => title), ["Regression: swift, hello"]);
});

Deno.test("alert writes nothing without a regression, and when none is confirmed", async () => {
  await using weeks = await publishWeeks();
  await using github = serveGitHub();
  await weeks.publish(runOf(now, 2_000));
  assertEquals((await weeks.alert(now, github)).line, "swift: nothing to say");
  await weeks.publish(runOf(runIdOf(7), 500));
  assertEquals((await weeks.alert(runIdOf(7), github)).line, "swift: nothing to say");
  await weeks.leave(`${rerunName}/swift.json`, rerunText(2_000));
  assertEquals((await weeks.alert(runIdOf(7), github)).line, "swift: nothing to say");
  assertEquals(github.writes, []);
});

Deno.test("alert writes nothing where a second measurement was not downloaded", async () => {
  await using weeks = await publishWeeks();
  await using github = serveGitHub();
  await weeks.publish(runOf(now, 500));
  // What an earlier attempt of the workflow's run left is not looked for.
  github.artifacts.push({ name: rerunName.replace(rerunId, runIdOf(7)), expired: false });
  assertEquals((await weeks.alert(now, github)).line, "swift: nothing to say");
  github.artifacts.push({ name: rerunName, expired: false });
  await assertRejects(
    () => weeks.alert(now, github),
    BenchError,
    `it lacks 1 of 1 artifacts, expected all of run 5: ${rerunName}`,
  );
  assertEquals(github.writes, []);
});

Deno.test("alert takes nothing from an artifact that is not the second measurement", async () => {
  const hostile: [string, RegExp][] = [
    ["x".repeat(11 * 1024 ** 2), /it has 11534336 bytes, expected 2097152 at most/],
    ['{"runId": "\\n::error::gotcha"}', RegExp(`^Cannot parse "${rerunName}/swift.json"`)],
    [JSON.stringify({ ...JSON.parse(rerunText(500)), issue: 1 }), /Unrecognized key: "issue"/],
    [rerunText(500).replace(`"${rerunId}"`, `"${now}"`), /it is of run ".*", expected/],
    [rerunText(500, ({ provenance }) => provenance.commit = "1".repeat(40)), /at commit 1111111/],
    [rerunText(500, ({ provenance }) => provenance.dirty = true), /uncommitted changes/],
    [rerunText(500, ({ impl }) => impl.id = "even"), /it is the result of "even"/],
    [rerunText(500, ({ impl }) => impl.id = "../x"), /expected a lower-case letter/],
    [
      rerunText(500).replace(":500,", ":1e999,"),
      RegExp(`^Cannot parse "${rerunName}/swift.json"`),
    ],
  ];
  await using weeks = await publishWeeks();
  await using github = serveGitHub();
  await weeks.publish(runOf(now, 500));
  for (const [text, problem] of hostile) {
    await weeks.leave(`${rerunName}/swift.json`, text);
    const { line, damaged } = await weeks.alert(now, github);
    assertEquals(line, "swift: nothing to say");
    assertEquals(damaged.length, 1);
    assertMatch(damaged[0]!, problem);
  }
  assertEquals(github.writes, []);
});

Deno.test("alert takes an issue of another account, or without our first line, for none of its own", async () => {
  await using weeks = await publishWeeks();
  await using github = serveGitHub();
  await weeks.publish(runOf(now, 2_000));
  const issue = {
    title: "Regression: swift, jwt-mysql",
    body: `<!-- backbench: regression of swift in jwt-mysql since ${runIdOf(5)} -->`,
    labels: ["regression"],
    state: "open" as const,
    state_reason: null,
    comments: [],
  };
  github.issues.push(
    { ...issue, number: 1, html_url: "#1", user: { login: "someone" } },
    { ...issue, number: 2, html_url: "#2", user: { login: "github-actions[bot]" }, body: "Text" },
  );
  assertEquals((await weeks.alert(now, github)).line, "swift: nothing to say");
  assertEquals(github.writes, []);
});

Deno.test("alert says which variable is missing", async () => {
  const { signal } = new AbortController();
  const options = { publishedRuns: ".", impls: [], environment: {}, report: silent, signal };
  const request = {
    ...{ runIds: ids(now), rerunIds: ids(rerunId) },
    ...{ artifactsFolder: ".", plans: measured.plans },
  };
  await assertRejects(
    () => sendAlerts(request, options),
    BenchError,
    'Cannot use "GITHUB_REPOSITORY": it is not set',
  );
});

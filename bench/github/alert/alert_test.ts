import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { z } from "zod";
import { BenchError } from "../../lib/error.ts";
import { exampleRun } from "../../testing/example_run.ts";
import { silent } from "../../lib/report.ts";
import type { Result } from "../../results/result_schema.ts";
import { writeResult } from "../../results/store.ts";
import type { Subject } from "../figures.ts";
import { findSuspects, readIssues, sendAlerts } from "./alert.ts";

const runIdOf = (week: number) => `202601${String(week).padStart(2, "0")}T000000Z-0000000`;
const now = runIdOf(6);
const rerunId = runIdOf(8);
/** All that is measured here is of one scenario. */
const ids = (runId: string) => ({ "jwt-mysql": runId });
const subjectsOf = (...implIds: string[]): Subject[] =>
  implIds.map((implId) => ({ implId, scenario: "jwt-mysql" }));

/** Returns the run of a week, in which Swift has this capacity. */
function runOf(runId: string, capacity: number): Result[] {
  const run = exampleRun(runId);
  run.find(({ impl }) => impl.id === "swift")!.rateSweep!.sustainablePerSecond = capacity;
  return run;
}

interface Issue {
  number: number;
  html_url: string;
  title: string;
  body: string;
  labels: string[];
  state: "open" | "closed";
  state_reason: string | null;
  user: { login: string };
  comments: string[];
}

const writeSchema = z.object({
  name: z.string(),
  title: z.string(),
  body: z.string(),
  labels: z.array(z.string()),
  state: z.enum(["open", "closed"]),
  state_reason: z.string(),
}).partial();

/** A GitHub with issues and labels, and what it was asked to write. */
interface FakeGitHub extends AsyncDisposable {
  url: string;
  issues: Issue[];
  labels: string[];
  writes: string[];
}

/** Where issues are disabled, GitHub answers 410 to whoever asks for them or opens one. */
function serveGitHub({ hasIssues = true } = {}): FakeGitHub {
  const github = { issues: [] as Issue[], labels: ["bug"], writes: [] as string[] };
  const answer = async (request: Request): Promise<unknown> => {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace("/repos/backbench/backbench/", "");
    if (request.method === "GET") {
      if (path === "labels") return github.labels.map((name) => ({ name }));
      assertEquals([path, searchParams.get("state")], ["issues", "all"]);
      const label = searchParams.get("labels")!;
      return github.issues.filter(({ labels }) => labels.includes(label));
    }
    github.writes.push(`${request.method} ${path}`);
    const written = writeSchema.parse(await request.json());
    if (path === "labels") return { name: github.labels[github.labels.push(written.name!) - 1] };
    if (path === "issues") {
      const number = github.issues.length + 1;
      const issue: Issue = {
        number,
        html_url: `#${number}`,
        title: written.title!,
        body: written.body!,
        labels: written.labels!,
        state: "open",
        state_reason: null,
        user: { login: "github-actions[bot]" },
        comments: [],
      };
      github.issues.push(issue);
      return issue;
    }
    const issue = github.issues[Number(path.split("/")[1]) - 1]!;
    if (path.endsWith("/comments")) return { id: issue.comments.push(written.body!) };
    return Object.assign(issue, written);
  };
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) =>
      !hasIssues && new URL(request.url).pathname.endsWith("/issues")
        ? new Response('{"message":"Issues are disabled for this repo"}', { status: 410 })
        : request.headers.get("authorization") === "Bearer secret"
        ? Response.json(await answer(request))
        : new Response("Bad credentials", { status: 401 }),
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  return { ...github, url, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** What a step of a workflow has. */
function environmentOf({ url }: FakeGitHub): Record<string, string> {
  return {
    GITHUB_REPOSITORY: "backbench/backbench",
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_RUN_ID: "5",
    GITHUB_API_URL: url,
    GITHUB_TOKEN: "secret",
  };
}

/** Published runs and artifacts of a second measurement, gone when they are disposed of. */
interface Place extends AsyncDisposable {
  publishedRuns: string;
  artifactsFolder: string;
  /** All that there are. */
  subjects: Subject[];
  publish(run: Result[]): Promise<void>;
  leave(path: string, text: string): Promise<void>;
  /** Runs `alert`, and returns what it reported of Swift, and what it could not use. */
  alert(runId: string, github: FakeGitHub): Promise<{ line: string; damaged: string[] }>;
}

/** Makes a place with five good weeks. */
async function makePlace(): Promise<Place> {
  const folder = await Deno.makeTempDir();
  const publishedRuns = join(folder, "runs");
  const artifactsFolder = join(folder, "artifacts");
  const subjects = subjectsOf("even", "freezing", "swift", "tweaked");
  const publish = async (run: Result[]) => {
    for (const result of run) await writeResult(publishedRuns, result);
  };
  for (const week of [1, 2, 3, 4, 5]) await publish(runOf(runIdOf(week), 2_000));
  return {
    publishedRuns,
    artifactsFolder,
    subjects,
    publish,
    leave: async (path, text) => {
      await Deno.mkdir(dirname(join(artifactsFolder, path)), { recursive: true });
      await Deno.writeTextFile(join(artifactsFolder, path), text);
    },
    alert: async (runId, github) => {
      const lines: string[] = [];
      const report = { ...silent, line: (text: string) => void lines.push(text) };
      const environment = environmentOf(github);
      const damaged = await sendAlerts(
        {
          runIds: ids(runId),
          rerunIds: ids(rerunId),
          artifactsFolder,
          siteUrl: "https://backbench.example",
        },
        { publishedRuns, subjects, environment, report, signal: AbortSignal.timeout(30_000) },
      );
      const isSwift = (line: string) => line.startsWith("swift, jwt-mysql: ");
      const others = ["even", "freezing", "tweaked"];
      assertEquals(
        lines.filter((line) => !isSwift(line)),
        others.map((id) => `${id}, jwt-mysql: nothing to say`),
      );
      return { line: lines.find(isSwift)!.replace(", jwt-mysql", ""), damaged };
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Returns Swift's second measurement as its job leaves it. */
function rerunText(capacity: number, change: (result: Result) => void = () => {}): string {
  const [swift] = runOf(rerunId, capacity);
  change(swift!);
  return JSON.stringify(swift);
}

Deno.test("findSuspects() names regressions, and a run that starts now at the same commit", async () => {
  await using place = await makePlace();
  await place.publish(runOf(now, 500));
  const lines: string[] = [];
  const report = { ...silent, line: (text: string) => void lines.push(text) };
  const { subjects, rerunIds } = await findSuspects(ids(now), { ...place, issues: [], report });
  assertEquals(subjects, subjectsOf("swift"));
  assertMatch(rerunIds["jwt-mysql"]!, /^\d{8}T\d{6}Z-0000000$/);
  assertEquals(lines, [
    "swift, jwt-mysql: highest sustainable rate: 75.0 % worse than the baseline of 5 runs, more than 12.9 %",
  ]);
});

Deno.test("findSuspects() names what was removed since, and has it not measured again", async () => {
  await using place = await makePlace();
  await place.publish(runOf(now, 500));
  const lines: string[] = [];
  const report = { ...silent, line: (text: string) => void lines.push(text) };
  // One that is still there, and no longer lists the scenario, cannot be measured in it.
  const subjects = [...subjectsOf("even"), { implId: "swift", scenario: "hello" }];
  const suspects = await findSuspects(ids(now), { ...place, subjects, issues: [], report });
  assertEquals(suspects.subjects, []);
  assertEquals(lines.at(-1), "swift, jwt-mysql: removed since, so it is not measured again");
});

Deno.test("findSuspects() does not look at runs before a level that was accepted, as GitHub has it", async () => {
  await using place = await makePlace();
  await using github = serveGitHub();
  const environment = {
    GITHUB_REPOSITORY: "backbench/backbench",
    GITHUB_API_URL: github.url,
    GITHUB_TOKEN: "secret",
  };
  const { signal } = new AbortController();
  assertEquals(await readIssues(environment, { report: silent, signal }), []);
  for (const week of [6, 7]) await place.publish(runOf(runIdOf(week), 500));
  github.issues.push({
    number: 1,
    html_url: "#1",
    title: "Regression: swift, jwt-mysql",
    body: `<!-- backbench: regression of swift in jwt-mysql since ${runIdOf(6)} -->`,
    labels: ["regression"],
    state: "closed",
    state_reason: "not_planned",
    user: { login: "github-actions[bot]" },
    comments: [],
  });
  const issues = await readIssues(environment, { report: silent, signal });
  assertEquals(issues.map(({ implId, state }) => [implId, state]), [["swift", "accepted"]]);
  const suspectsOf = async (known: typeof issues) =>
    (await findSuspects(ids(runIdOf(7)), { ...place, issues: known, report: silent })).subjects;
  assertEquals(await suspectsOf([]), subjectsOf("swift"));
  assertEquals(await suspectsOf(issues), []);
});

Deno.test("readIssues() finds none outside a workflow's step", async () => {
  const { signal } = new AbortController();
  assertEquals(await readIssues({}, { report: silent, signal }), []);
  assertEquals(await readIssues({ GITHUB_TOKEN: "secret" }, { report: silent, signal }), []);
});

Deno.test("regressions and alert go on where issues are disabled, and say so", async () => {
  await using place = await makePlace();
  await using github = serveGitHub({ hasIssues: false });
  await place.publish(runOf(now, 500));
  await place.leave("rerun-jwt-mysql-swift.1/swift.json", rerunText(500));
  const lines: string[] = [];
  const report = { ...silent, line: (line: string) => lines.push(line) };
  const { signal } = new AbortController();
  assertEquals(await readIssues(environmentOf(github), { report, signal }), []);
  assertEquals(lines, ["backbench/backbench has issues disabled: no level was accepted"]);
  const { artifactsFolder, publishedRuns, subjects } = place;
  const damaged = await sendAlerts(
    { runIds: ids(now), rerunIds: ids(rerunId), artifactsFolder },
    { publishedRuns, subjects, environment: environmentOf(github), report, signal },
  );
  assertEquals([damaged, lines.slice(1)], [[], [
    "backbench/backbench has issues disabled: regressions are reported to nobody",
  ]]);
  assertEquals(github.writes, []);
});

Deno.test("alert closes the issue of an implementation that is gone, whatever was measured", async () => {
  await using place = await makePlace();
  await using github = serveGitHub();
  await place.publish(runOf(now, 500));
  await place.leave("rerun-jwt-mysql-swift.1/swift.json", rerunText(500));
  await place.alert(now, github);
  place.subjects.splice(place.subjects.findIndex(({ implId }) => implId === "swift"), 1);
  const line = "swift: removed, closed #1";
  assertEquals(await place.alert(now, github), { line, damaged: [] });
  const [issue, ...others] = github.issues;
  assertEquals([issue?.state, issue?.state_reason, others], ["closed", "completed", []]);
  assertStringIncludes(
    issue?.comments[0] ?? "",
    "`impls/swift` was removed, or no longer lists the scenario `jwt-mysql`",
  );
});

Deno.test("alert opens, rewrites and closes one issue over the life of a regression", async () => {
  await using place = await makePlace();
  await using github = serveGitHub();
  await place.publish(runOf(now, 500));
  await place.leave("rerun-jwt-mysql-swift.1/swift.json", rerunText(500));
  assertEquals(await place.alert(now, github), { line: "swift: opened #1", damaged: [] });
  assertEquals(github.writes, ["POST labels", "POST issues"]);
  assertEquals(github.labels, ["bug", "regression"]);
  const [issue] = github.issues;
  assertEquals([issue!.title, issue!.labels], ["Regression: swift, jwt-mysql", ["regression"]]);
  assertStringIncludes(
    issue!.body,
    "| `highest sustainable rate`, requests/s | 2,000 (median of 5 runs) | 500 | 75.0 % | 12.9 % | 500, 75.0 % worse: **confirmed** |",
  );

  await place.publish(runOf(runIdOf(10), 500));
  assertEquals((await place.alert(runIdOf(10), github)).line, "swift: rewrote #1");
  assertStringIncludes(issue!.body, `Last measured in [run ${runIdOf(10)}]`);

  await place.publish(runOf(runIdOf(11), 2_000));
  assertEquals((await place.alert(runIdOf(11), github)).line, "swift: closed #1");
  assertEquals([issue!.state, issue!.state_reason], ["closed", "completed"]);
  assertStringIncludes(issue!.comments[0]!, `Fixed in [run ${runIdOf(11)}]`);

  await place.publish(runOf(runIdOf(12), 2_000));
  assertEquals((await place.alert(runIdOf(12), github)).line, "swift: nothing to say");
  assertEquals(github.writes.slice(2), [
    "PATCH issues/1",
    "POST issues/1/comments",
    "PATCH issues/1",
  ]);
});

Deno.test("alert opens an issue of the scenario that regressed, and leaves that of another alone", async () => {
  await using place = await makePlace();
  await using github = serveGitHub();
  const helloId = (week: number) => runIdOf(week).replace("00Z", "01Z");
  const hello = (id: string, capacity: number) =>
    runOf(id, capacity).filter(({ impl }) => impl.id === "swift")
      .map((result): Result => ({ ...result, scenario: "hello" }));
  for (const week of [1, 2, 3, 4, 5]) await place.publish(hello(helloId(week), 2_000));
  await place.publish(runOf(now, 2_000));
  await place.publish(hello(helloId(6), 500));
  const rerun = hello(helloId(8), 500)[0];
  await place.leave("rerun-hello-swift.1/swift.json", JSON.stringify(rerun));
  const lines: string[] = [];
  await sendAlerts({
    runIds: { ...ids(now), hello: helloId(6) },
    rerunIds: { ...ids(rerunId), hello: helloId(8) },
    artifactsFolder: place.artifactsFolder,
  }, {
    publishedRuns: place.publishedRuns,
    subjects: [...place.subjects, { implId: "swift", scenario: "hello" }],
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
  await using place = await makePlace();
  await using github = serveGitHub();
  await place.publish(runOf(now, 2_000));
  assertEquals((await place.alert(now, github)).line, "swift: nothing to say");
  await place.publish(runOf(runIdOf(7), 500));
  assertEquals((await place.alert(runIdOf(7), github)).line, "swift: nothing to say");
  await place.leave("rerun-jwt-mysql-swift.1/swift.json", rerunText(2_000));
  assertEquals((await place.alert(runIdOf(7), github)).line, "swift: nothing to say");
  assertEquals(github.writes, []);
});

Deno.test("alert takes nothing from an artifact that is not the second measurement", async () => {
  const hostile: [string, RegExp][] = [
    ["x".repeat(11 * 1024 ** 2), /it has 11534336 bytes, expected 10485760 at most/],
    ['{"runId": "\\n::error::gotcha"}', /^Cannot parse "rerun-jwt-mysql-swift.1\/swift.json"/],
    [JSON.stringify({ ...JSON.parse(rerunText(500)), issue: 1 }), /Unrecognized key: "issue"/],
    [rerunText(500).replace(`"${rerunId}"`, `"${now}"`), /it is of run ".*", expected/],
    [rerunText(500, ({ provenance }) => provenance.commit = "1".repeat(40)), /at commit 1111111/],
    [rerunText(500, ({ provenance }) => provenance.dirty = true), /uncommitted changes/],
    [rerunText(500, ({ impl }) => impl.id = "even"), /it is the result of "even"/],
    [rerunText(500, ({ impl }) => impl.id = "../x"), /expected a lower-case letter/],
    [
      rerunText(500).replace(":500,", ":1e999,"),
      /^Cannot parse "rerun-jwt-mysql-swift.1\/swift.json"/,
    ],
  ];
  await using place = await makePlace();
  await using github = serveGitHub();
  await place.publish(runOf(now, 500));
  for (const [text, problem] of hostile) {
    await place.leave("rerun-jwt-mysql-swift.1/swift.json", text);
    const { line, damaged } = await place.alert(now, github);
    assertEquals(line, "swift: nothing to say");
    assertEquals(damaged.length, 1);
    assertMatch(damaged[0]!, problem);
  }
  assertEquals(github.writes, []);
});

Deno.test("alert takes an issue of another account, or without our first line, for none of its own", async () => {
  await using place = await makePlace();
  await using github = serveGitHub();
  await place.publish(runOf(now, 2_000));
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
  assertEquals((await place.alert(now, github)).line, "swift: nothing to say");
  assertEquals(github.writes, []);
});

Deno.test("alert says which variable is missing", async () => {
  const { signal } = new AbortController();
  const options = { publishedRuns: ".", subjects: [], environment: {}, report: silent, signal };
  const request = { runIds: ids(now), rerunIds: ids(rerunId), artifactsFolder: "." };
  await assertRejects(
    () => sendAlerts(request, options),
    BenchError,
    'Cannot use "GITHUB_REPOSITORY": it is not set',
  );
});

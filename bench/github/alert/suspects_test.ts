/** Which results of a run are suspected to have regressed. */
import { assertEquals, assertMatch } from "@std/assert";
import { silent } from "../../lib/report.ts";
import { serveGitHub } from "../../testing/fake_github.ts";
import { ids, implsOf, now, publishWeeks, runIdOf, runOf } from "../../testing/weekly_runs.ts";
import { findSuspects, readIssues } from "./alert.ts";

Deno.test("findSuspects() names regressions, and a run that starts now at the same commit", async () => {
  await using weeks = await publishWeeks();
  await weeks.publish(runOf(now, 500));
  const lines: string[] = [];
  const report = { ...silent, line: (text: string) => void lines.push(text) };
  const { impls, rerunIds } = await findSuspects(ids(now), { ...weeks, issues: [], report });
  assertEquals(impls, implsOf("swift"));
  assertMatch(rerunIds["jwt-mysql"]!, /^\d{8}T\d{6}Z-0000000$/);
  assertEquals(lines, [
    "swift, jwt-mysql: highest sustainable rate: 75.0 % worse than the baseline of 5 runs, more than 12.9 %",
  ]);
});

Deno.test("findSuspects() names what was removed since, and has it not measured again", async () => {
  await using weeks = await publishWeeks();
  await weeks.publish(runOf(now, 500));
  const lines: string[] = [];
  const report = { ...silent, line: (text: string) => void lines.push(text) };
  // One that is still there, and no longer lists the scenario, cannot be measured in it.
  const impls = [...implsOf("even"), { implId: "swift", scenario: "hello" }];
  const suspects = await findSuspects(ids(now), { ...weeks, impls, issues: [], report });
  assertEquals(suspects.impls, []);
  assertEquals(lines.at(-1), "swift, jwt-mysql: removed since, so it is not measured again");
});

Deno.test("findSuspects() does not look at runs before a level that was accepted, as GitHub has it", async () => {
  await using weeks = await publishWeeks();
  await using github = serveGitHub();
  const environment = {
    GITHUB_REPOSITORY: "backbench/backbench",
    GITHUB_API_URL: github.url,
    GITHUB_TOKEN: "secret",
  };
  const { signal } = new AbortController();
  assertEquals(await readIssues(environment, { report: silent, signal }), []);
  for (const week of [6, 7]) await weeks.publish(runOf(runIdOf(week), 500));
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
    (await findSuspects(ids(runIdOf(7)), { ...weeks, issues: known, report: silent })).impls;
  assertEquals(await suspectsOf([]), implsOf("swift"));
  assertEquals(await suspectsOf(issues), []);
});

Deno.test("readIssues() finds none outside a workflow's step", async () => {
  const { signal } = new AbortController();
  assertEquals(await readIssues({}, { report: silent, signal }), []);
  assertEquals(await readIssues({ GITHUB_TOKEN: "secret" }, { report: silent, signal }), []);
});

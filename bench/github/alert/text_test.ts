import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { marked } from "marked";
import { parse } from "node-html-parser";
import { findRegressions, judgeFigures } from "./rule.ts";
import type { Findings } from "./decision.ts";
import type { Figure } from "../figure.ts";
import type { Followed } from "../figures.ts";
import {
  issueTitle,
  parseIssue,
  renderEnd,
  renderIssue,
  renderLapse,
  renderRemoval,
} from "./text.ts";

const links = {
  repositoryUrl: "https://github.com/backbench/backbench",
  jobUrl: "https://github.com/backbench/backbench/actions/runs/5",
  siteUrl: "https://backbench.github.io/backbench",
};
const runIdOf = (week: number) => `2026010${week}T000000Z-0000000`;

function week(number: number, ratio: number, startup: number): Followed {
  const interval = { low: ratio - 0.01, high: ratio + 0.01, confidence: 0.956, rounds: 10 };
  const figures: Figure[] = [
    {
      name: "warm goodput at 50 connections",
      direction: "bigger",
      value: ratio,
      unit: "times the control",
      interval,
    },
    { name: "p99 at 500 requests/s", direction: "smaller", value: startup, unit: "ms" },
  ];
  return {
    runId: runIdOf(number),
    scenario: "jwt-mysql",
    implId: "swift",
    startedAt: "2026-01-01T00:00:00.000Z",
    commit: String(number).repeat(40),
    cpuModel: "Example CPU",
    comparableKey: "Example CPU",
    figures,
  };
}

const before = [1, 2, 3, 4, 5].map((number) => week(number, 0.8, 1_200));
const now = week(6, 0.7, 1_500);
const rerun: Followed = { ...week(7, 0.71, 1_190), commit: now.commit };
const findings: Findings = {
  now,
  rerun,
  since: now.runId,
  first: now,
  last: before[4]!,
  regressions: findRegressions(now, before, rerun),
  losses: new Map([["warm goodput at 50 connections", 0.1125]]),
};

Deno.test("renderIssue() gives figures, intervals, thresholds, and where to look", () => {
  assertEquals(
    renderIssue(findings, links),
    `<!-- backbench: regression of swift in jwt-mysql since 20260106T000000Z-0000000: [["warm goodput at 50 connections",0.1125]] -->

\`swift\` regressed in \`jwt-mysql\` in [run 20260106T000000Z-0000000](https://backbench.github.io/backbench/runs/20260106T000000Z-0000000/). CI repeated the measurement in [this job](https://github.com/backbench/backbench/actions/runs/5).

| figure | baseline | now | worse by | threshold | second measurement |
| :--- | ---: | ---: | ---: | ---: | :--- |
| \`warm goodput at 50 connections\`, times the control | 0.800 (95 %: 0.796–0.804, interval over 5 runs) | 0.700 (95 %: 0.690–0.710, interval of this run) | 12.5 % | 5.0 % | 0.710, 11.3 % worse: **confirmed** |
| \`p99 at 500 requests/s\`, ms | 1,200 (median of 5 runs) | 1,500 | 25.0 % | 5.0 % | 1,190, 0.8 % better: not confirmed |

[The commits from 5555555 to 6666666](https://github.com/backbench/backbench/compare/${
      "5".repeat(40)
    }...${"6".repeat(40)}) came in after the run before it, \`20260105T000000Z-0000000\`.

The baseline covers the last valid runs before it, 20 at most, of the same scenario and profile, on the same processor, with the same control, whatever the sources and versions were. For warm goodput and startup it is their mean ratio to the control, and the threshold is 5 %, or the 98 % prediction interval of a further run if that is more; a second measurement confirms the regression if both together leave the 99.9 % interval. For other figures it is the median, and the threshold is 5 %, or 8 median absolute deviations of those runs if that is more, and wider with fewer than 20 runs; for the highest sustainable rate, it is at least one step of the rate sweep. Of a figure that is 0, it is 5 % if no earlier run had 0.

Later runs of \`swift\` in \`jwt-mysql\` update this issue. It is closed once two of them in a row show each figure that was confirmed within its threshold, and no further from its baseline than 25 % of what it had lost. To accept the new level, close it as *not planned*: alerts then ignore all runs before \`20260106T000000Z-0000000\`.
`,
  );
});

Deno.test("renderIssue() of a later run says since when, and that it was measured once", () => {
  const later = { ...now, runId: runIdOf(8) };
  const text = renderIssue(
    { ...findings, now: later, regressions: findRegressions(later, before) },
    { ...links, siteUrl: "https://backbench.example/" },
  );
  assertStringIncludes(
    text,
    "Last measured in [run 20260108T000000Z-0000000](https://backbench.example/runs/20260108",
  );
  assertStringIncludes(text, "| 25.0 % | 5.0 % | – |");
});

Deno.test("renderIssue() names both processors where they differ", () => {
  const text = renderIssue({ ...findings, rerun: { ...rerun, cpuModel: "Another" } }, links);
  assertStringIncludes(
    text,
    "on `Another` instead of `Example CPU`: each is compared with the baseline of its own processor.",
  );
});

Deno.test("renderIssue() says where no commit can be the reason, and links no site that is not there", () => {
  const { siteUrl: _siteUrl, ...others } = links;
  const text = renderIssue({ ...findings, last: { ...before[4]!, commit: now.commit } }, others);
  assertStringIncludes(text, "`swift` regressed in `jwt-mysql` in run `20260106T000000Z-0000000`.");
  assertStringIncludes(
    text,
    "The run before it, `20260105T000000Z-0000000`, measured the same commit, 6666666: no change in this repository explains the regression.",
  );
});

Deno.test("renderIssue() leaves the commits out where the checkout lacks the run", () => {
  const { first: _first, ...rest } = findings;
  assertEquals(renderIssue(rest, links).includes("The commits"), false);
});

Deno.test("parseIssue() reads what renderIssue() says for later runs, and nothing else", () => {
  const since = "20260106T000000Z-0000000";
  const about = { implId: "swift", scenario: "jwt-mysql", since, losses: findings.losses };
  assertEquals(parseIssue(renderIssue(findings, links)), about);
  assertEquals(parseIssue(renderIssue(findings, links).replaceAll("\n", "\r\n")), about);
  // Without the losses, or edited.
  for (const end of ["", ": 1", ": [1", ': [["a",-1]]']) {
    const body = `<!-- backbench: regression of swift in jwt-mysql since ${since}${end} -->`;
    assertEquals(parseIssue(body), { ...about, losses: new Map() });
  }
  for (
    const body of [
      "",
      `Quoted: <!-- backbench: regression of swift in jwt-mysql since ${since} -->`,
      "<!-- backbench: regression of ../swift in jwt-mysql since 20260106T000000Z-0000000 -->",
      "<!-- backbench: regression of swift in jwt-mysql since yesterday -->",
      `<!-- backbench: regression of swift in no-scenario since ${since} -->`,
    ]
  ) {
    assertEquals(parseIssue(body), undefined, body);
  }
});

Deno.test("renderIssue() makes nothing of what a machine calls its processor, nor of figures out of all bounds", () => {
  const attack = "<img src=x> @backbench/maintainers #1 `` | [a](https://evil.example)\n# Approved";
  const hostile: Followed = {
    ...rerun,
    cpuModel: attack,
    figures: rerun.figures.map((figure, index) => ({
      ...figure,
      value: index === 0 ? Number.MAX_VALUE : Number.MIN_VALUE,
    })),
  };
  const regressions = findRegressions(now, before, hostile);
  const text = renderIssue({ ...findings, rerun: hostile, regressions }, links);
  assert(text.length < 3_000, `${text.length}`);
  const html = parse(marked.parse(text, { async: false }), { blockTextElements: {} });
  const hosts = html.querySelectorAll("a").map((link) => new URL(link.getAttribute("href")!).host);
  assertEquals(new Set(hosts), new Set(["backbench.github.io", "github.com"]));
  assertEquals(html.querySelectorAll("tr").length, 3);
  html.querySelectorAll("code").forEach((element) => element.remove());
  for (const mark of ["@", "evil", "img", "#1", "Approved"]) {
    assertEquals(html.toString().includes(mark), false, html.toString());
  }
});

Deno.test("renderEnd() shows each figure that was worse, as it is now", () => {
  const good = week(8, 0.812, 1_210);
  const recoveries = [...judgeFigures(good, before).values()]
    .map((judgement) => ({ ...judgement, loss: 0.2 }));
  assertEquals(
    renderEnd({ now: good, since: now.runId, recoveries }, links),
    `Fixed in [run 20260108T000000Z-0000000](https://backbench.github.io/backbench/runs/20260108T000000Z-0000000/): in this run and in the one before it, each figure is within the threshold of its baseline, the runs before \`20260106T000000Z-0000000\`, and has regained at least 75 % of what it had lost.

| figure | baseline | now | difference | threshold | had lost |
| :--- | ---: | ---: | ---: | ---: | ---: |
| \`warm goodput at 50 connections\`, times the control | 0.800 (95 %: 0.796–0.804, interval over 5 runs) | 0.812 | 1.5 % better | 5.0 % | 20.0 % |
| \`p99 at 500 requests/s\`, ms | 1,200 (median of 5 runs) | 1,210 | 0.8 % worse | 5.0 % | 20.0 % |
`,
  );
});

Deno.test("renderLapse() says that nothing is known, and why", () => {
  assertEquals(
    renderLapse({ now, since: runIdOf(1) }, links),
    "No recent run is comparable with those before `20260101T000000Z-0000000`: the kind of machine, a setting of the kernel, the control or the profile differs in [run 20260106T000000Z-0000000](https://backbench.github.io/backbench/runs/20260106T000000Z-0000000/) and the 5 runs before it. Whether the figures recovered is unknown. From now on, the baseline covers the comparable runs.\n",
  );
});

Deno.test("renderRemoval() names the folder and the scenario", () => {
  assertEquals(
    renderRemoval(now),
    "No longer measured: `impls/swift` was removed, or no longer lists the scenario `jwt-mysql`.\n",
  );
});

Deno.test("issueTitle() names the implementation and the scenario", () => {
  assertEquals(issueTitle(now), "Regression: swift, jwt-mysql");
});

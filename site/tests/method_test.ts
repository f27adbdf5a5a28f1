import { assertEquals, assertStringIncludes } from "@std/assert";
import { lines } from "../../bench/results/bottleneck.ts";
import {
  confirmConfidence,
  deviations,
  smallestShare,
  suspectConfidence,
} from "../../bench/github/alert/rule.ts";
import { historyLength } from "../../bench/github/figures.ts";
import { ceilingHalfWidth } from "../../bench/measure/ceiling.ts";
import { limits } from "../../bench/measure/limits.ts";
import { requestTimeoutSeconds } from "../../bench/results/unanswered.ts";
import { makePlan } from "../../bench/results/plan.ts";
import {
  comparedLevel,
  comparisonPlans,
  comparisonWithControl,
  defaultLevels,
  profiles,
  rateSweepPlans,
} from "../../bench/results/profiles.ts";
import type { ComparisonPlan } from "../../bench/results/comparison_schema.ts";
import { captured, siteOf } from "../../bench/testing/site.ts";
import { winPoints } from "../../bench/statistics/mod.ts";

Deno.test("the method page has the numbers that the code has", async () => {
  const site = await siteOf({ runs: captured.runs });
  const text = (await site.page("method/index.html")).text.replace(/\s+/g, " ");
  const number = (value: number) => value.toLocaleString("en");
  const percent = (share: number) => `${number(100 * share)} %`;
  const { secondsPerStep, settleSeconds } = rateSweepPlans.full;
  const countedSeconds = secondsPerStep - settleSeconds;
  const minutes = (plan?: ComparisonPlan) => Number(plan?.budgetSeconds) / 60;
  const inWords = (count: number) =>
    ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"][count];
  const levels = defaultLevels.map(String);
  for (
    const fact of [
      `${levels.slice(0, -1).join(", ")} and ${levels.at(-1)}, in random order`,
      `then ${number(profiles.full.requests)} measured ones`,
      `more than ${percent(limits.failures)} of the requests failed`,
      `the database counted over ${percent(limits.queries)} more statements, or over ${
        percent(limits.missing)
      } fewer`,
      `background load took more than ${percent(limits.foreignCpu)}`,
      `the hypervisor took more than ${percent(limits.steal)}`,
      `mean latency was more than ${percent(limits.latencyGap)} off`,
      `no answer came in more than ${percent(limits.silence)} of the load`,
      `at least the time-out of ${requestTimeoutSeconds} s`,
      `interval of ± ${
        percent(ceilingHalfWidth)
      } needs, ${profiles.full.ceiling.mostLoads} at most`,
      `Goodput, cold or warm, of ${percent(lines.generatorBound)} or more`,
      `took ${percent(lines.busyThread)} of a processor`,
      `were ${percent(lines.busyMachine)} busy`,
      `at least ${lines.standsOut} times the CPU`,
      `minutes, but at least ${comparisonPlans.full.minRounds}`,
      `as many rounds as fit into ${minutes(makePlan("full", {}, 0).comparison)} minutes`,
      `at ${comparedLevel} connections only`,
      `only, as many as fit into ${
        minutes(comparisonPlans.full)
      } minutes, but at least ${comparisonPlans.full.minRounds};`,
      `as many as fit into ${comparisonPlans.quick.budgetSeconds} s, but at least ${comparisonPlans.quick.minRounds}.`,
      `gets ${number(comparisonPlans.full.warmUpRequests)} requests to warm up`,
      `gets ${number(comparisonPlans.quick.warmUpRequests)} requests to warm up`,
      `a round has ${inWords(comparisonPlans.full.loads)} loads (quick: ${
        inWords(comparisonPlans.quick.loads)
      })`,
      `a side runs for at most ${
        2 * comparisonWithControl.full.sliceSeconds
      } s before the other’s turn`,
      `Then each level has ${inWords(comparisonWithControl.full.loads)} loads`,
      `warms it up with ${number(comparisonWithControl.full.warmUpRequests)} requests`,
      `for ${comparisonPlans.full.mostSecondsToQuiet} s at most`,
      `Each rate is offered for ${secondsPerStep} s`,
      `latency leaves out requests that were due in the first ${settleSeconds} s`,
      `a single pause of ${1e3 * (rateSweepPlans.full.goal.p99Seconds + countedSeconds / 100)} ms`,
      `are 1 % of ${countedSeconds} s`,
      `last ${historyLength} valid values`,
      `by more than ${percent(smallestShare)}`,
      `more than ${deviations} median absolute deviations`,
      `the ${percent(suspectConfidence)} prediction interval of a further run`,
      `leave the ${number(100 * confirmConfidence)} % interval`,
      `are started ${profiles.full.startupRuns} times each`,
    ]
  ) assertStringIncludes(text, fact);
  const margins = [...text.matchAll(/(\d) (?:for a margin of|from) (\d+) %/g)];
  assertEquals(margins.length, 3);
  for (const [, points, margin] of margins) {
    const low = 1 + Number(margin) / 100;
    assertEquals([winPoints({ low }), winPoints({ low: low - 1e-6 })], [
      Number(points),
      Number(points) - 1,
    ]);
  }
});

Deno.test("the method page has its contents first, and folds the details of a section", async () => {
  const site = await siteOf({ runs: captured.runs });
  const page = await site.page("method/index.html");
  const links = page.querySelectorAll("h1 + nav.contents a");
  const headings = page.querySelectorAll("main h2");
  assertEquals(
    links.map((link) => [link.getAttribute("href"), link.text]),
    headings.map((heading) => [`#${heading.id}`, heading.text]),
  );
  const level = page.querySelector("#what-bounds-a-level ~ .fold")!;
  assertEquals(level.querySelector("summary")!.text, "What bounds a level, in detail");
  assertEquals(level.querySelectorAll("ol > li").length, 7);
  assertEquals(page.querySelectorAll("main hr").length, 0);
});

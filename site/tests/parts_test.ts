import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { lines } from "../../bench/measure/bottleneck.ts";
import {
  confirmConfidence,
  deviations,
  smallestShare,
  suspectConfidence,
} from "../../bench/github/alert/rule.ts";
import { historyLength } from "../../bench/github/figures.ts";
import { sumOf } from "../../bench/lib/sum.ts";
import { exampleRun } from "../../bench/testing/example_run.ts";
import { ceilingHalfWidth } from "../../bench/measure/ceiling.ts";
import { limits } from "../../bench/measure/limits.ts";
import { requestTimeoutSeconds } from "../../bench/measure/unanswered.ts";
import {
  comparedLevel,
  comparisonPlans,
  defaultLevels,
  makePlan,
  profiles,
} from "../../bench/results/plan.ts";
import { ratesOf } from "../../bench/results/rate_sweep.ts";
import { resultSchema } from "../../bench/results/result_schema.ts";
import { startsOf } from "../../bench/results/startup.ts";
import { noiseFileSchema } from "../../bench/results/files_schema.ts";
import { describeBias, namedNoises } from "../../bench/results/noise.ts";
import { format, hrefsOf, overviewOf, rowsOf, textOf } from "../../bench/testing/pages.ts";
import { basePath, captured, example, exampleRunId, siteOf } from "../../bench/testing/site.ts";
import { median, winPoints } from "../../bench/statistics/mod.ts";

Deno.test("the site shows every part of a run that has it", async (t) => {
  const results = exampleRun(exampleRunId).map((result) => resultSchema.parse(result));
  const site = await siteOf(example);
  const page = await site.page(`runs/${exampleRunId}/index.html`);

  await t.step("with ratios, intervals and ties in place of ranks", () => {
    const rows = rowsOf(page, "compared-table");
    for (const { impl, comparison, levels } of results) {
      const { estimate, low, high, rounds } = comparison!.levels[0]!.goodput!;
      const qualifier = levels[0]!.frame!.isGeneratorBound ? "at least " : "";
      const [, ratio, interval, count, , , , tied] = rows.get(impl.name)!;
      assertEquals([ratio, interval, count], [
        `${qualifier}${format(estimate, 1, 3)}`,
        `${format(low, 1, 3)} to ${format(high, 1, 3)}`,
        String(rounds),
      ]);
      // Those that share a letter are tied.
      assertEquals(tied, { swift: "a", even: "a", freezing: "b" }[impl.id] ?? "c");
    }
    assertEquals(textOf(page, "#compared-title"), [
      "Even and Swift lead at 10 connections; the difference between them is too small to measure. " +
      "Tuned: Tweaked is faster than the control at 10 connections",
    ]);
    const chart = page.getElementById("compared-title")!.closest("figure")!;
    assertEquals(chart.querySelectorAll(".whisker").length, 3 * results.length);
  });

  await t.step("with what bounds each level, and at least where it is the generator", () => {
    const rows = rowsOf(page, "bounds-table");
    for (const { impl, levels } of results) {
      const { frame } = levels[0]!;
      const [, bound, , why] = rows.get(impl.name)!;
      assertEquals([bound, why], [frame!.bottleneck, frame!.because]);
      const [[, goodput = ""] = []] = overviewOf(page, impl.name);
      assertEquals(goodput.startsWith("at least "), frame!.isGeneratorBound, impl.name);
    }
  });

  await t.step(
    "with every step of the rate sweep, and a freeze that the moment of sending would hide",
    () => {
      const groups = page.getElementById("steps")!.closest("table")!.querySelectorAll("tbody");
      for (
        const [index, { impl, rateSweep }] of results.toSorted((a, b) =>
          a.impl.id < b.impl.id ? -1 : 1
        )
          .entries()
      ) {
        const [label = ""] = textOf(groups[index]!, ".group th");
        const { sustainablePerSecond } = rateSweep!;
        assertStringIncludes(
          label,
          sustainablePerSecond === undefined
            ? `${impl.name}: sustained no rate`
            : `${impl.name}: sustained ${format(sustainablePerSecond, 1, 0)} requests per second`,
        );
        assertEquals(
          groups[index]!.querySelectorAll("tr:not(.group)").map((row) => textOf(row, "th, td")),
          ratesOf(rateSweep!).map((step) => [
            format(step.ratePerSecond, 1, 0),
            format(step.latencySeconds?.p50, 1000),
            format(step.latencySeconds?.p90, 1000),
            format(step.latencySeconds?.p99, 1000),
            ...[
              step.processes === 1 ? "–absent" : [step.p99Seconds!.lowest, step.p99Seconds!.highest]
                .map((value) => format(value, 1000)).join(" to "),
            ],
            format(step.latencySeconds?.p999, 1000),
            format(step.uncorrectedSeconds?.p99, 1000),
            format(
              rateSweep!.floor.find(({ ratePerSecond }) => ratePerSecond === step.ratePerSecond)
                ?.latencySeconds.p99,
              1000,
            ),
            format(step.cpuSecondsPerAnswer?.median, 1e6),
            format(step.unsent, 1, 0),
            "0",
            ["no", "yes"][step.met / step.processes] ?? `${step.met} of ${step.processes}`,
          ]),
        );
      }
      const stalls = textOf(page, ".stalls li");
      assert(stalls.length > 0);
      assertEquals(stalls.filter((stall) => !stall.startsWith("Freezing: ")), []);
      const chart = page.getElementById("sweep-title")!.closest("figure")!;
      assertEquals(
        chart.querySelectorAll(".open").length,
        results.flatMap(({ rateSweep }) => ratesOf(rateSweep!))
          .filter(({ met, processes }) => met < processes).length,
      );
    },
  );

  await t.step(
    "with startup: the ratio to the control, the median, the range, and every start as a mark",
    () => {
      const rows = rowsOf(page, "startup-table");
      const chart = page.getElementById("startup-title")!.closest("figure")!;
      for (const { impl, startup } of results) {
        const { seconds } = startsOf(startup!, "subject");
        const { estimate, low, high } = startup!.ratio!;
        const [shownRatio, shownLow, shownHigh] = [estimate, low, high].map((value) =>
          format(value, 1)
        );
        assertEquals(rows.get(impl.name)!.slice(1, 5), [
          `${shownRatio} (${shownLow} to ${shownHigh})`,
          ...[median(seconds), Math.min(...seconds), Math.max(...seconds)]
            .map((value) => format(value, 1000)),
        ]);
      }
      assertEquals(
        chart.querySelectorAll(".small").length,
        sumOf(results, ({ startup }) => startup!.blocks.length),
      );
    },
  );
});

Deno.test("the site says of one that failed after it was compared why it has no ratio", async () => {
  const runId = "20260105T000000Z-0000005";
  const results = exampleRun(runId).map((result) => {
    const { impl } = result;
    if (impl.id === "tweaked") return { ...result, impl: { ...impl, class: "standard" as const } };
    if (impl.id !== "even") return result;
    const { startup: _, ...reached } = result;
    const failure = { stage: "startup" as const, message: "it never answered", detail: "a log" };
    return { ...reached, status: "failed" as const, failure };
  });
  const site = await siteOf({ runs: results });
  const page = await site.page(`runs/${runId}/index.html`);
  assertEquals(rowsOf(page, "compared-table").get("Even")!.slice(1), [
    "Even failed at startup: it never answered",
  ]);
  for (const [path, id] of [["runs", "compared"], ["compare", "pairs-chart"]]) {
    const page = await site.page(`${path}/${runId}/index.html`);
    assertEquals(textOf(page, `#${id}-title`), [
      "Tweaked is faster than every other that was compared at 10 connections",
    ]);
  }
});

Deno.test("the site shows a run without the newer parts as before", async () => {
  const site = await siteOf({ runs: captured.runs });
  for (const path of await site.files(".html")) {
    const page = await site.page(path);
    for (const id of ["compared-table", "bounds-table", "steps", "startup-table"]) {
      assertEquals(page.getElementById(id), null, `${path} has ${id}`);
    }
  }
});

Deno.test("the site shows our own noise, every comparison of it", async () => {
  const noise = noiseFileSchema.parse(example.noise[0]);
  const site = await siteOf(example);
  const page = await site.page("noise/index.html");
  const { goodput } = noise.summary;
  const [title = ""] = textOf(page, "figure h2");
  assertEquals(
    title,
    `${goodput.falseAlarms.count} of 20 comparisons of example with itself gave a false alarm in warm goodput`,
  );
  assertEquals(page.querySelectorAll("figure .whisker").length, noise.comparisons.length);
  assertEquals(page.querySelector("a[href$=scenarios/jwt-mysql/]")?.text, noise.scenario);
  const alarms = textOf(page, "td.reason");
  assertEquals(alarms, alarms.fill("false alarm"));
  assertEquals(alarms.length, goodput.falseAlarms.count);
});

Deno.test("the site shows the noise of each figure, its bias, and the plan beside those of today's runs", async () => {
  const noise = noiseFileSchema.parse(example.noise[0]);
  const site = await siteOf(example);
  const page = await site.page("noise/index.html");
  const id = `noise-${noise.id.toLowerCase()}`;
  const figures = rowsOf(page, `${id}-figures`);
  for (const { name, mean, falseAlarms, comparisons } of namedNoises(noise)) {
    const [, estimate, interval, alarms] = figures.get(name)!;
    assertEquals(
      [estimate, interval, alarms],
      [
        format(mean.estimate, 1, 3),
        `${format(mean.low, 1, 3)} to ${format(mean.high, 1, 3)}`,
        `${falseAlarms.count} of ${comparisons}`,
      ],
    );
  }
  assert(textOf(page, "p").includes(describeBias(namedNoises(noise))));
  const plans = rowsOf(page, `${id}-plans`);
  assertEquals([...plans.keys()], ["these comparisons", "quick runs today", "full runs today"]);
  const { comparison } = makePlan("full", {}, 0);
  assertEquals(plans.get("full runs today")!.slice(1, 3), [
    comparison!.levels.join(", "),
    String(comparison!.minRounds),
  ]);
});

Deno.test("the site shows claims by article, with the verdict on each level and why", async () => {
  const runId = "20260105T000000Z-0000005";
  const results = exampleRun(runId)
    .map((result) => ({ ...result, plan: { ...result.plan, profile: "full" as const } }));
  const claims = `
    [bands]
    aboutFactor = 1.15
    benefitRatio = 1.05
    [articles.first]
    title = "An article: with <b>mark-up</b>"
    date = "June 2023"
    setting = "a laptop"
    [[claims]]
    id = "twice"
    article = "first"
    claim = "Swift is twice as fast as Freezing"
    figure = "2 times"
    query = { kind = "ratio", subject = "swift", reference = "freezing", levels = [10, 50], about = 2 }
    [[claims]]
    id = "elsewhere"
    article = "first"
    claim = "Both are slower elsewhere"
    figure = "none"
    setting = "a server"
    implies = ["2 ÷ 1 = 2.", "1 + 1 = 2."]
    query = { kind = "not-yet", reason = "nothing here does that" }
    [[claims]]
    id = "bound"
    article = "first"
    claim = "Tweaked is faster by half"
    figure = "1.5 times"
    query = { kind = "ratio", subject = "tweaked", reference = "swift", levels = [10], about = 1.5 }
    [[claims]]
    id = "fails"
    article = "first"
    claim = "Swift never fails"
    figure = "no failure"
    query = { kind = "failures", subject = "swift", levels = [10], claimed = "none" }
  `;
  const site = await siteOf({ runs: results, claims });
  const page = await site.page("claims/index.html");
  assertEquals(textOf(page, "h2"), ["An article: with <b>mark-up</b>"]);
  assert(hrefsOf(page).includes(`${basePath}runs/${runId}/`));
  assertStringIncludes(
    textOf(page, "h2 + p").join(),
    "June 2023. Its setting: a laptop.",
  );
  assertEquals(textOf(page, ".claim h3"), [
    "Swift is twice as fast as Freezing",
    "Tweaked is faster by half",
    "Swift never fails",
  ]);
  assertEquals(textOf(page, ".outcome"), ["Not decided", "Not decided", "Reproduced here"]);
  assertEquals(textOf(page, "h2 ~ .fold li"), [
    "Both are slower elsewhere. Claimed: none; a server. nothing here does that By the article’s figures: 2 ÷ 1 = 2. 1 + 1 = 2.",
  ]);
  const [twice, bound, fails] = page.querySelectorAll(".claim").map((claim) => textOf(claim, "dd"));
  assertEquals(twice!.length, 3);
  assertEquals(twice![0], "2 times");
  assertMatch(twice![1]!, /^2\.\d{3} times \(2\.\d{3} to 2\.\d{3}\): reproduced here/);
  assertMatch(twice![2]!, /^not decided/);
  assertMatch(bound![1]!, /^at least 1\.\d{3} times \(1\.\d{3} to 1\.\d{3}\): not decided/);
  assertMatch(fails![1]!, /^0\.00 % failed \(0\.00 % to 0\.\d\d %\): reproduced here/);
  assertStringIncludes(
    textOf(page, ".claim .fold p").join(),
    "Example CPU, 2 processors; Swift (",
  );
});

Deno.test("the method page has the numbers that the code has", async () => {
  const site = await siteOf({ runs: captured.runs });
  const text = (await site.page("method/index.html")).text.replace(/\s+/g, " ");
  const number = (value: number) => value.toLocaleString("en");
  const percent = (share: number) => `${number(100 * share)} %`;
  const levels = defaultLevels.map(String);
  for (
    const fact of [
      `${levels.slice(0, -1).join(", ")} and ${levels.at(-1)}, in random order`,
      `then ${number(profiles.full.requests)} measured ones`,
      `more than ${percent(limits.failures)} of the requests failed`,
      `the number of database queries was off by more than ${percent(limits.queries)}`,
      `background load took more than ${percent(limits.foreignCpu)}`,
      `the hypervisor took more than ${percent(limits.steal)}`,
      `mean latency was more than ${percent(limits.latencyGap)} off`,
      `no answer came in more than ${percent(limits.silence)} of the load`,
      `at least the time-out of ${requestTimeoutSeconds} s`,
      `an interval of ± ${
        percent(ceilingHalfWidth)
      } takes, ${profiles.full.ceiling.mostLoads} at most`,
      `Goodput, cold or warm, of ${percent(lines.generatorBound)} or more`,
      `took ${percent(lines.busyThread)} of a processor`,
      `were ${percent(lines.busyMachine)} busy`,
      `at least ${lines.standsOut} times the CPU`,
      `A full run has at least ${comparisonPlans.full.minRounds} rounds`,
      `made at ${comparedLevel} connections`,
      `by ${number(comparisonPlans.full.warmUpRequests)} requests in a full run`,
      `which may take ${comparisonPlans.full.mostSecondsToQuiet} s at most`,
      `last ${historyLength} valid ones`,
      `by more than ${percent(smallestShare)}`,
      `more than ${deviations} median absolute deviations`,
      `the ${percent(suspectConfidence)} interval of a further run`,
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

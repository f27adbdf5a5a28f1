import { assert, assertEquals } from "@std/assert";
import { makePlan } from "../../bench/results/plan.ts";
import { noiseFileSchema } from "../../bench/results/files_schema.ts";
import { describeBias, namedNoises } from "../../bench/results/noise.ts";
import { exampleNoise } from "../../bench/testing/example_files.ts";
import { format, rowsOf, textOf } from "../../bench/testing/pages.ts";
import { example, siteOf } from "../../bench/testing/site.ts";

Deno.test("the site shows our own noise, every comparison of it", async () => {
  const noise = noiseFileSchema.parse(example.noise[0]);
  const site = await siteOf(example);
  const page = await site.page("noise/index.html");
  const { goodput } = noise.summary;
  const [title = ""] = textOf(page, "figure h2");
  assertEquals(
    title,
    `${goodput.falseAlarms.count} of 20 comparisons of Example with itself gave a false alarm in warm goodput`,
  );
  const whiskers = page.querySelectorAll("figure .whisker").map((it) => it.getAttribute("d"));
  // Those of a series are one path; each begins with a move.
  assertEquals(whiskers.join("").split("M").length - 1, noise.comparisons.length);
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
  for (const { name, mean, falseAlarms, comparisons, scatter } of namedNoises(noise)) {
    const [, estimate, interval, alarms] = figures.get(name)!;
    assertEquals(
      [estimate, interval, alarms],
      [
        format(mean.estimate, 1, 3),
        `${format(mean.low, 1, 3)} to ${format(mean.high, 1, 3)}`,
        `${falseAlarms.count} of ${comparisons}`,
      ],
    );
    assertEquals(figures.get(name)!.slice(-2), [
      format(scatter.estimate, 1, 3),
      `${format(scatter.low, 1, 3)} to ${format(scatter.high, 1, 3)}`,
    ]);
  }
  assert(textOf(page, "p").includes(describeBias(namedNoises(noise))));
  const plans = rowsOf(page, `${id}-plans`);
  assertEquals([...plans.keys()], ["these comparisons", "quick runs today", "full runs today"]);
  const { comparison } = makePlan("full", {}, 0);
  assertEquals(plans.get("full runs today")!.slice(1, 3), [
    comparison!.levels.join(", "),
    String(comparison!.minRounds),
  ]);
  assertEquals(plans.get("full runs today")![7], "0.20");
});

Deno.test("the site adds up the false alarms of each figure over the measurements of a scenario with one plan, and quotes the worst", async () => {
  const noises = ["20260106T000000Z-0000006", "20260107T000000Z-0000007"].map(exampleNoise);
  const site = await siteOf({ ...example, noise: noises });
  const shown = rowsOf(await site.page("noise/index.html"), "false-alarms");
  const [one] = noises.map(namedNoises);
  const shares = one!.map(({ name, falseAlarms, comparisons }) => {
    assertEquals(shown.get(name)![1], `${2 * falseAlarms.count} of ${2 * comparisons}`);
    return { name, share: falseAlarms.count / comparisons };
  });
  assertEquals([...shown.keys()], shares.map(({ name }) => name));
  const worst = shares.reduce((a, b) => b.share > a.share ? b : a);
  const [said = ""] = textOf(await site.page("index.html"), ".facts");
  assert(said.includes(`(${shares[0]!.name})`) && said.includes(`(${worst.name})`), said);
});

Deno.test("the site says where comparisons have another plan today than those of published noise", async () => {
  const noise = noiseFileSchema.parse(example.noise[0]);
  const { joinsSlices: _, ...plan } = noise.plan;
  const said = "Comparisons have another plan today, so their noise may be different.";
  for (const [older, expected] of [[noise, false], [{ ...noise, plan }, true]] as const) {
    const site = await siteOf({ ...example, noise: [older] });
    const page = await site.page("noise/index.html");
    assertEquals(textOf(page, "p").includes(said), expected);
  }
});

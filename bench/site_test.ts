import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { parse as parseToml } from "@std/toml";
import { type HTMLElement, parse } from "node-html-parser";
import { logTail, runProcess } from "./process.ts";
import { lines } from "./bottleneck.ts";
import { deriveRun } from "./derive_run.ts";
import { exampleNoise, exampleRun } from "./example_run.ts";
import { limits } from "./judge.ts";
import { comparedLevel, comparisonPlans, defaultLevels, profiles } from "./plan.ts";
import { silent } from "./report.ts";
import { lastRepetition, type Result, resultSchema } from "./schema.ts";
import { type NoiseFile, noiseFileSchema } from "./schema_files.ts";
import { median, winPoints } from "./statistics.ts";
import { ensureHugo } from "./tools.ts";

const root = fromFileUrl(new URL("..", import.meta.url));
const fixtures = fromFileUrl(new URL("testdata/site", import.meta.url));
const basePath = "/backbench/";

interface Site extends AsyncDisposable {
  folder: string;
  /** Paths under the folder, of files that end so. */
  files(end: string): Promise<string[]>;
  page(path: string): Promise<HTMLElement>;
}

Deno.test("the site shows every run as its files have it", async (t) => {
  await using site = await buildSite({ runs: join(fixtures, "runs") });
  const results = await readResults("runs");
  const runIds = [...new Set(results.map((result) => result.runId))].sort();
  const latest = runIds[runIds.length - 1]!;

  await t.step("on a page for each run, which the list of runs links to", async () => {
    const hrefs = hrefsOf(await site.page("runs/index.html"));
    for (const runId of runIds) {
      const page = await site.page(`runs/${runId}/index.html`);
      assertEquals(textOf(page, "h1"), [`Run ${runId}`]);
      assert(hrefs.includes(`${basePath}runs/${runId}/`), `no link to ${runId} in ${hrefs}`);
    }
  });

  await t.step("with the figures of valid levels, and reasons for the others", async () => {
    for (const result of results) {
      const page = await site.page(`runs/${result.runId}/index.html`);
      assertEquals(overviewOf(page, result.impl.name), expectedOverview(result));
    }
  });

  await t.step("with the latest run's figures on the home page", async () => {
    const home = await site.page("index.html");
    for (const result of results.filter(({ runId }) => runId === latest)) {
      assertEquals(overviewOf(home, result.impl.name), expectedOverview(result));
    }
    assertStringIncludes(home.querySelector("main")!.text, latest);
  });

  await t.step("with the raw files byte for byte", async () => {
    for (const { runId, impl } of results) {
      const file = join("runs", runId, `${impl.id}.json`);
      assertEquals(
        await Deno.readFile(join(site.folder, file)),
        await Deno.readFile(join(fixtures, file)),
      );
      const hrefs = hrefsOf(await site.page(`runs/${runId}/index.html`));
      assert(hrefs.includes(`${basePath}${file}`), `no link to ${file} in ${hrefs}`);
    }
  });

  await t.step("with failures, problems, retries, commands and commits, as text", async () => {
    for (const result of results) {
      const { text } = await site.page(`runs/${result.runId}/index.html`);
      const earlier = result.levels.flatMap((level) => level.repetitions.slice(0, -1));
      for (
        const expected of [
          result.impl.name,
          result.impl.language,
          result.provenance.command,
          result.provenance.commit,
          result.machine.kernel,
          ...Object.entries(result.provenance.tools).flat(),
          ...Object.entries(result.database?.variables ?? {}).flat(),
          result.database?.rowsSha256 ?? "",
          ...Object.values(result.failure ?? {}),
          ...(result.verification?.problems ?? []).flatMap(Object.values),
          ...earlier.flatMap(({ validity }) =>
            validity.valid ? [] : validity.reasons.map(({ message }) => message)
          ),
        ]
      ) assertStringIncludes(text, String(expected));
    }
  });

  await t.step("marks what is provisional, and only that", async () => {
    for (const runId of runIds) {
      const marks = textOf(await site.page(`runs/${runId}/index.html`), "h1 ~ .marks");
      const isProvisional = results.some((result) =>
        result.runId === runId &&
        (result.plan.profile !== "full" || result.provenance.dirty ||
          result.status === "incomplete")
      );
      assertEquals(marks.length, isProvisional ? 1 : 0, runId);
    }
  });
});

Deno.test("the site shows every part of a run that has it", async (t) => {
  const runId = "20260105T000000Z-0000005";
  const results = exampleRun(runId).map((result) => resultSchema.parse(result));
  await using folders = await makeData({ results });
  await using site = await buildSite(folders);
  const page = await site.page(`runs/${runId}/index.html`);

  await t.step("with ratios, intervals and ties in place of ranks", async () => {
    const rows = rowsOf(page, "compared-table");
    for (const { impl, comparison, levels } of results) {
      const { estimate, low, high, rounds } = comparison!.levels[0]!.goodput!;
      const qualifier = levels[0]!.frame!.isGeneratorBound ? "at least " : "";
      const [, ratio, interval, count, , , , tiedWith] = rows.get(impl.name)!;
      assertEquals([ratio, interval, count], [
        `${qualifier}${format(estimate, 1, 3)}`,
        `${format(low, 1, 3)} to ${format(high, 1, 3)}`,
        String(rounds),
      ]);
      const expected: Record<string, string> = { Swift: "Even", Even: "Swift" };
      assertEquals(tiedWith, expected[impl.name] ?? "none");
    }
    for (const path of ["index.html", `runs/${runId}/index.html`]) {
      const [title] = textOf(await site.page(path), "#compared-title");
      assertEquals(
        title,
        "Swift is tied with Even, faster than Freezing at 10 connections; " +
          "Tweaked is faster than the control at 10 connections (tuned)",
      );
    }
    const scores = rowsOf(page, "scorecard");
    assertEquals(scores.get("Swift")?.slice(1), ["3", "Even 0; Freezing 3"]);
    assertEquals(scores.get("Freezing")?.slice(1), ["0", "Even 0; Swift 0"]);
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

  await t.step("with every rung, and a freeze that the moment of sending would hide", () => {
    const groups = page.getElementById("rungs")!.closest("table")!.querySelectorAll("tbody");
    for (
      const [index, { impl, ladder }] of results.toSorted((a, b) => a.impl.id < b.impl.id ? -1 : 1)
        .entries()
    ) {
      const [label = ""] = textOf(groups[index]!, ".group th");
      const { capacityPerSecond } = ladder!;
      assertStringIncludes(
        label,
        capacityPerSecond === undefined
          ? `${impl.name}: held no rate`
          : `${impl.name}: held ${format(capacityPerSecond, 1, 0)} requests per second`,
      );
      assertEquals(
        groups[index]!.querySelectorAll("tr:not(.group)").map((row) => textOf(row, "th, td")),
        ladder!.rungs.map((rung) => [
          format(rung.ratePerSecond, 1, 0),
          format(rung.latencySeconds?.p50, 1000),
          format(rung.latencySeconds?.p90, 1000),
          format(rung.latencySeconds?.p99, 1000),
          format(rung.latencySeconds?.p999, 1000),
          format(rung.uncorrectedSeconds?.p99, 1000),
          format(ladder!.floor[0]!.latencySeconds.p99, 1000),
          format(rung.unsent, 1, 0),
          "0",
          rung.holds ? "yes" : "no",
        ]),
      );
    }
    const stalls = textOf(page, ".stalls li");
    assert(stalls.length > 0);
    assertEquals(stalls.filter((stall) => !stall.startsWith("Freezing: ")), []);
    const chart = page.getElementById("ladder-title")!.closest("figure")!;
    assertEquals(
      chart.querySelectorAll(".open").length,
      results.flatMap(({ ladder }) => ladder!.rungs).filter(({ holds }) => !holds).length,
    );
  });

  await t.step("with startup: the median, the range, and every start as a mark", () => {
    const rows = rowsOf(page, "startup-table");
    const chart = page.getElementById("startup-title")!.closest("figure")!;
    for (const { impl, startup } of results) {
      const { seconds } = startup!.subject;
      assertEquals(
        rows.get(impl.name)!.slice(1, 4),
        [median(seconds), Math.min(...seconds), Math.max(...seconds)]
          .map((value) => format(value, 1000)),
      );
    }
    assertEquals(
      chart.querySelectorAll(".small").length,
      results.reduce((total, { startup }) => total + startup!.runs, 0),
    );
  });
});

Deno.test("the site shows a run without the newer parts as before", async () => {
  await using site = await buildSite({ runs: join(fixtures, "runs") });
  for (const path of await site.files(".html")) {
    const page = await site.page(path);
    for (const id of ["compared-table", "bounds-table", "rungs", "startup-table"]) {
      assertEquals(page.getElementById(id), null, `${path} has ${id}`);
    }
  }
});

Deno.test("the site shows our own noise, every comparison of it", async () => {
  const noise = noiseFileSchema.parse(exampleNoise("20260106T000000Z-0000006"));
  await using folders = await makeData({ noise: [noise] });
  await using site = await buildSite(folders);
  const page = await site.page("noise/index.html");
  const [title = ""] = textOf(page, "figure h2");
  assertEquals(
    title,
    `${noise.summary.falseAlarms} of 20 comparisons of example with itself gave a false alarm`,
  );
  assertEquals(page.querySelectorAll("figure .whisker").length, noise.comparisons.length);
  const alarms = textOf(page, "td.reason");
  assertEquals(alarms, alarms.fill("false alarm"));
  assertEquals(alarms.length, noise.summary.falseAlarms);
});

Deno.test("the site shows claims by article, with the verdict on each level and why", async () => {
  const article = { title: "An article: with <b>mark-up</b>", date: "June 2023" };
  const claim = {
    id: "thrice",
    article,
    claim: "One is thrice as fast as the other",
    figure: "3 times",
    setting: "a laptop",
    kind: "ratio",
    levels: [{
      connections: 50,
      measured: { estimate: 2.9, low: 2.8, high: 3, unit: "ratio" },
      verdict: "confirmed",
      because: "the whole interval lies within the band",
    }, { connections: 100, verdict: "not decided", because: "there is no interval" }],
    verdict: "not decided",
    because: "one level is not",
  };
  const results = exampleRun("20260105T000000Z-0000005");
  await using folders = await makeData({
    results,
    claims: { runId: results[0]!.runId, claims: [claim] },
  });
  await using site = await buildSite(folders);
  const page = await site.page("claims/index.html");
  assertEquals(textOf(page, "h2"), [article.title]);
  assert(hrefsOf(page).includes(`${basePath}runs/${results[0]!.runId}/`));
  assertEquals(textOf(page, ".group th"), [`${claim.claim}. Claimed: 3 times; a laptop.`]);
  assertEquals(page.querySelectorAll("tbody tr:not(.group)").map((row) => textOf(row, "th, td")), [
    ["altogether", "not decided", "one level is not"],
    ["50 connections", "confirmed", "2.900 (2.800 to 3.000)", claim.levels[0]!.because],
    ["100 connections", "not decided", "–absent", claim.levels[1]!.because],
  ]);
});

Deno.test("the method page has the numbers that the code has", async () => {
  await using site = await buildSite({ runs: join(fixtures, "runs") });
  const text = (await site.page("method/index.html")).text.replace(/\s+/g, " ");
  const number = (value: number) => value.toLocaleString("en");
  const percent = (share: number) => `${number(100 * share)} %`;
  const levels = defaultLevels.map(String);
  for (
    const fact of [
      `${levels.slice(0, -1).join(", ")} and ${levels.at(-1)}, in random order`,
      `${number(profiles.full.requests)} that count`,
      `more than ${percent(limits.failures)} of the requests failed`,
      `one query for each, by ${percent(limits.queries)}`,
      `other processes took more than ${percent(limits.foreignCpu)}`,
      `Goodput of ${percent(lines.generatorBound)} or more`,
      `took ${percent(lines.busyThread)} of a processor`,
      `were ${percent(lines.busyMachine)} busy`,
      `${lines.standsOut} times the next`,
      `at least ${comparisonPlans.full.minRounds}, and their number`,
      `made at ${comparedLevel} connections`,
      `${profiles.full.startupRuns} times each`,
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

Deno.test("the site resolves every link under a base path, and asks nobody else for anything", async () => {
  await using full = await makeData({
    results: exampleRun("20260105T000000Z-0000005"),
    noise: [exampleNoise("20260106T000000Z-0000006")],
  });
  for (const data of [{ runs: join(fixtures, "runs"), local: join(fixtures, "local") }, full]) {
    await using site = await buildSite(data);
    for (const path of await site.files(".html")) {
      const page = await site.page(path);
      // What the templates never write, and the strings of the fixture would, unescaped.
      assertEquals(
        textOf(page, "script, iframe, img, style, [src], [onerror], b, a:not([href])"),
        [],
      );
      for (const { attributes } of page.querySelectorAll("link")) {
        assertStringIncludes(attributes.href ?? "", basePath);
      }
      for (const href of hrefsOf(page).filter((href) => !/^https?:/.test(href))) {
        const [target = "", fragment] = href.split("#");
        const file = target === ""
          ? path
          : target.slice(basePath.length).replace(/(^|\/)$/, "$1index.html");
        assert(target === "" || target.startsWith(basePath), `${path}: ${href}`);
        assert((await site.files(file)).includes(file), `${path}: nothing at ${href}`);
        if (fragment !== undefined) {
          assert((await site.page(file)).getElementById(fragment) !== null, `${path}: ${href}`);
        }
      }
      const ids = page.querySelectorAll("[id]").map(({ id }) => id);
      assertEquals(ids, [...new Set(ids)], `${path} has an id twice`);
    }
  }
});

Deno.test("the site marks local runs, unless they are published too", async () => {
  const local = join(fixtures, "local");
  const page = "runs/20260104T000000Z-0000004/index.html";
  await using mixed = await buildSite({ runs: join(fixtures, "runs"), local });
  assertStringIncludes(textOf(await mixed.page(page), ".marks").join(), "local: not published");
  await using published = await buildSite({ runs: local, local });
  assert(!textOf(await published.page(page), ".marks").join().includes("local"));
});

Deno.test("the site builds without any run, and says so", async () => {
  // A folder that is missing would be the site's own again, which has runs.
  const empty = await Deno.makeTempDir();
  try {
    await using site = await buildSite({ runs: empty, local: empty });
    for (const path of ["index.html", "runs/index.html"]) {
      assertStringIncludes((await site.page(path)).text, "No run has been published yet");
    }
    assertStringIncludes((await site.page("claims/index.html")).text, "No published run can test");
    assertStringIncludes((await site.page("noise/index.html")).text, "has not been published yet");
  } finally {
    await Deno.remove(empty, { recursive: true });
  }
});

Deno.test("hugo.local.toml repeats the mounts of hugo.toml and adds to them", async () => {
  const [base, local] = await Promise.all(["hugo.toml", "hugo.local.toml"].map(readMounts));
  assertEquals(local!.slice(0, base!.length), base);
  assert(local!.length > base!.length);
});

async function readMounts(name: string): Promise<unknown[]> {
  const { module } = parseToml(await Deno.readTextFile(join(root, "site", name)));
  assert(typeof module === "object" && module !== null && "mounts" in module);
  assert(Array.isArray(module.mounts));
  return module.mounts;
}

/** Builds as the published site is built, but with other folders of runs. */
async function buildSite(
  { runs, derived, local }: { runs: string; derived?: string; local?: string },
): Promise<Site> {
  const folder = await Deno.makeTempDir();
  const config = join(folder, "runs.toml");
  const output = join(folder, "public");
  const mount = (source: string, target: string) =>
    `[[module.mounts]]\nsource = ${JSON.stringify(source)}\ntarget = "${target}"\n`;
  await Deno.writeTextFile(
    config,
    mount("static", "static") + mount(runs, "data/runs") + mount(runs, "static/runs") +
      (derived === undefined ? "" : mount(derived, "data/derived")) +
      (local === undefined ? "" : mount(local, "data/local") + mount(local, "static/runs")),
  );
  const signal = new AbortController().signal;
  const hugo = await ensureHugo({ report: silent, signal });
  const logPath = join(folder, "hugo.log");
  const { code } = await runProcess([
    hugo.path,
    ...["--source", join(root, "site"), "--config", `hugo.toml,${config}`],
    ...["--destination", output, "--baseURL", `https://example.org${basePath}`],
    ...["--panicOnWarning", "--noBuildLock"],
  ], { logPath, signal });
  assertEquals(code, 0, await logTail(logPath));
  const paths = await listFiles(output);
  const pages = new Map<string, HTMLElement>();
  return {
    folder: output,
    files: (end) => Promise.resolve(paths.filter((path) => path.endsWith(end))),
    page: async (path) => {
      const page = pages.get(path) ?? parse(await Deno.readTextFile(join(output, path)));
      pages.set(path, page);
      return page;
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

interface Data {
  results?: Result[];
  noise?: NoiseFile[];
  claims?: unknown;
}

/** Writes results, and what is derived from them, as the site reads both. */
async function makeData(
  { results = [], noise = [], claims }: Data,
): Promise<{ runs: string; derived: string } & AsyncDisposable> {
  const folder = await Deno.makeTempDir();
  const [runs, derived] = [join(folder, "runs"), join(folder, "derived")];
  const write = async (path: string, content: unknown) => {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, JSON.stringify(content));
  };
  await Deno.mkdir(runs);
  for (const result of results) {
    await write(join(runs, result.runId, `${result.impl.id}.json`), result);
  }
  for (const runId of new Set(results.map((result) => result.runId))) {
    await write(
      join(derived, "runs", `${runId}.json`),
      deriveRun(results.filter((result) => result.runId === runId)),
    );
  }
  const comparisons = (file: NoiseFile) =>
    file.comparisons.map(({ connections, goodput }) => ({ connections, ratio: goodput }));
  await write(
    join(derived, "noise.json"),
    noise.map((file) => ({ ...file, comparisons: comparisons(file) })),
  );
  await write(join(derived, "claims.json"), claims ?? { claims: [] });
  return { runs, derived, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

async function listFiles(folder: string, prefix = ""): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(folder, prefix))) {
    const path = join(prefix, name);
    paths.push(...isDirectory ? await listFiles(folder, path) : [path]);
  }
  return paths;
}

async function readResults(name: string): Promise<Result[]> {
  const paths = await listFiles(join(fixtures, name));
  return await Promise.all(
    paths.map(async (path) => {
      const result = resultSchema.parse(
        JSON.parse(await Deno.readTextFile(join(fixtures, name, path))),
      );
      assertEquals(dirname(path), result.runId);
      return result;
    }),
  );
}

/** Returns the cells of each row of a table, by the row's label. */
function rowsOf(page: HTMLElement, id: string): Map<string, string[]> {
  const rows = page.getElementById(id)!.closest("table")!.querySelectorAll("tbody tr:not(.group)");
  return new Map(rows.map((row) => textOf(row, "th, td")).map((cells) => [cells[0] ?? "", cells]));
}

function textOf(page: HTMLElement, selector: string): string[] {
  return page.querySelectorAll(selector).map(({ text }) => text.trim());
}

function hrefsOf(page: HTMLElement): string[] {
  return page.querySelectorAll("[href]").map(({ attributes }) => attributes.href ?? "");
}

/** Returns the rows of one implementation: the group's label, then the cells. */
function overviewOf(page: HTMLElement, name: string): string[][] {
  const table = page.getElementById("overview")!.closest("table")!;
  return table.querySelectorAll("tbody").flatMap((group) => {
    const [label = ""] = textOf(group, ".group th");
    return group.querySelectorAll("tr:not(.group)")
      .filter((row) => textOf(row, "th")[0] === name)
      .map((row) => [label, ...textOf(row, "td")]);
  });
}

function expectedOverview({ failure, impl, levels, plan }: Result): string[][] {
  if (failure !== undefined) return [["Failed", `at ${failure.stage}: ${failure.message}`]];
  return [...plan.levels].sort((a, b) => a - b).map((connections) => {
    const label = `${connections} connections${impl.class === "tuned" ? " (tuned)" : ""}`;
    const level = levels.find((level) => level.connections === connections);
    if (level === undefined) return [label, "not measured"];
    const { validity, figures, observation } = lastRepetition(level);
    if (!validity.valid) {
      return [label, validity.reasons.map(({ message }) => message).join("; ")];
    }
    const subject = observation?.resources?.subject;
    return [
      label,
      format(figures?.goodputPerSecond, 1, 0),
      format(figures?.latencySeconds.p50, 1000),
      format(figures?.latencySeconds.p99, 1000),
      format(observation!.attempted - observation!.correct, 1, 0),
      format(subject?.cpuSecondsPerAnswer, 1e6),
      format(subject?.peakMemoryBytes, 1 / 1024 ** 2),
    ];
  });
}

/** Formats as the site should: three digits that count, or none behind the point. */
function format(base: number | undefined, factor: number, digits?: number): string {
  if (base === undefined) return "–absent";
  const value = base * factor;
  const fractionDigits = digits ?? (value < 10 ? 2 : value < 100 ? 1 : 0);
  // Half a digit is rounded up, as Hugo does, although the number behind it may be a trace smaller.
  const rounded = Math.round(value * 10 ** fractionDigits) / 10 ** fractionDigits;
  return rounded.toLocaleString("en", {
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  });
}

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { parse as parseToml } from "@std/toml";
import { exampleRun } from "../../bench/testing/example_run.ts";
import { lastRepetition } from "../../bench/results/outcome.ts";
import { type Result, resultSchema } from "../../bench/results/result_schema.ts";
import { brokenLinks, format, hrefsOf, overviewOf, textOf } from "../../bench/testing/pages.ts";
import { basePath, captured, example, listFiles, siteOf } from "../../bench/testing/site.ts";

const root = fromFileUrl(new URL("../..", import.meta.url));

Deno.test("the site shows every run as its files have it", async (t) => {
  const site = await siteOf({ runs: captured.runs });
  const results = await readResults();
  const runIds = [...new Set(results.map((result) => result.runId))].sort();

  await t.step("on a page for each run, which the list of runs links to", async () => {
    const hrefs = hrefsOf(await site.page("runs/index.html"));
    for (const runId of runIds) {
      const page = await site.page(`runs/${runId}/index.html`);
      assertStringIncludes(textOf(page, "h1 + .facts").join(), `Run ${runId} · `);
      assert(hrefs.includes(`${basePath}runs/${runId}/`), `no link to ${runId} in ${hrefs}`);
    }
  });

  await t.step("which says who failed in it", async () => {
    const list = await site.page("runs/index.html");
    for (const runId of runIds) {
      const link = list.querySelector(`main a[href$="runs/${runId}/"]`)!;
      const state = textOf(link.closest("tr")!, "td").at(-1)!;
      const [, failed] = state.split(". Failed: ");
      const expected = results.filter((result) => result.runId === runId && result.failure)
        .map(({ impl }) => impl.name);
      assertEquals(failed ?? "", expected.sort().join("; "), state);
    }
  });

  await t.step("with the figures of valid levels, and reasons for the others", async () => {
    for (const result of results) {
      const page = await site.page(`runs/${result.runId}/index.html`);
      assertEquals(overviewOf(page, result.impl.name), expectedOverview(result));
    }
  });

  await t.step("with the raw files byte for byte", async () => {
    for (const { runId, impl } of results) {
      const file = join("runs", runId, `${impl.id}.json`);
      assertEquals(
        await Deno.readFile(join(site.folder, file)),
        await Deno.readFile(join(captured.runs, "..", file)),
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

Deno.test("the site resolves every link under a base path, and asks nobody else for anything", async () => {
  for (const data of [captured, example]) {
    const site = await siteOf(data);
    for (const path of await site.files(".html")) {
      const page = await site.page(path);
      // What the templates never write, and the strings of the fixture would, unescaped.
      assertEquals(
        textOf(
          page,
          "script:not([src^=/]), iframe, img:not([src^=/]), style, [src]:not(script):not(img), [onerror], b, a:not([href])",
        ),
        [],
      );
      for (const { attributes } of page.querySelectorAll("link")) {
        assertStringIncludes(attributes.href ?? "", basePath);
      }
      const ids = page.querySelectorAll("[id]").map(({ id }) => id);
      assertEquals(ids, [...new Set(ids)], `${path} has an id twice`);
    }
    assertEquals(await brokenLinks(site), []);
  }
});

Deno.test("the site marks local runs, unless they are published too", async () => {
  const { local } = captured;
  const page = "runs/20260104T000000Z-0000004/index.html";
  const mixed = await siteOf({ runs: captured.runs, local });
  assertStringIncludes(textOf(await mixed.page(page), ".marks").join(), "local: not published");
  const published = await siteOf({ runs: local, local });
  assert(!textOf(await published.page(page), ".marks").join().includes("local"));
});

Deno.test("the site lists a hundred runs on a page, and leads to the others", async () => {
  const [example] = exampleRun("20260105T000000Z-0000005");
  const results = Array.from({ length: 101 }, (_, index) => ({
    ...example!,
    runId: `20260105T000000Z-${index.toString(16).padStart(7, "0")}`,
  }));
  const site = await siteOf({ runs: results });
  const [newest, oldest] = await Promise.all(
    ["runs/index.html", "runs/page/2/index.html"].map((path) => site.page(path)),
  );
  assertEquals(textOf(newest!, "tbody th").length, 100);
  assertEquals(oldest!.querySelectorAll("tbody th a").map(({ attributes }) => attributes.href), [
    `${basePath}runs/${results[0]!.runId}/`,
  ]);
  assert(hrefsOf(newest!).includes(`${basePath}runs/page/2/`));
  assert(hrefsOf(oldest!).includes(`${basePath}runs/`));
  const canonicals = [newest, oldest].map((page) =>
    page!.querySelector('link[rel="canonical"]')!.getAttribute("href")
  );
  assertEquals(
    canonicals,
    ["runs/", "runs/page/2/"].map((path) => `https://example.org${basePath}${path}`),
  );
});

Deno.test("the page of a run says that there is a newer one, and else nothing that is newer", async () => {
  const [older, newer] = ["20260105T000000Z-0000005", "20260106T000000Z-0000006"];
  const results = [older!, newer!].flatMap(exampleRun)
    .map((result) => ({ ...result, plan: { ...result.plan, profile: "full" as const } }));
  const site = await siteOf({ runs: results });
  const [marks] = textOf(await site.page(`runs/${older}/index.html`), ".marks");
  assertEquals(marks, `A newer run exists: ${newer}.`);
  assertEquals(textOf(await site.page(`runs/${newer}/index.html`), ".marks"), []);
});

Deno.test("the site builds without any run, and says so", async () => {
  const site = await siteOf();
  for (const path of ["index.html", "runs/index.html"]) {
    assertStringIncludes((await site.page(path)).text, "No run has been published yet");
  }
  assertStringIncludes(
    (await site.page("claims/index.html")).text,
    "No published run can test these claims",
  );
  assertStringIncludes(
    (await site.page("noise/index.html")).text,
    "No measurement of noise has been published yet",
  );
});

Deno.test("hugo.local.toml repeats the mounts of hugo.toml, with data of its own, and adds to them", async () => {
  const [base, local] = await Promise.all(["hugo.toml", "hugo.local.toml"].map(readMounts));
  const own = JSON.parse(JSON.stringify(base).replaceAll(".derived/", ".derived-local/"));
  assertEquals(local!.slice(0, base!.length), own);
  assert(local!.length > base!.length);
});

async function readMounts(name: string): Promise<unknown[]> {
  const { module } = parseToml(await Deno.readTextFile(join(root, "site", name)));
  assert(typeof module === "object" && module !== null && "mounts" in module);
  assert(Array.isArray(module.mounts));
  return module.mounts;
}

async function readResults(): Promise<Result[]> {
  const paths = await listFiles(captured.runs);
  return await Promise.all(
    paths.map(async (path) => {
      const result = resultSchema.parse(
        JSON.parse(await Deno.readTextFile(join(captured.runs, path))),
      );
      assertEquals(dirname(path), result.runId);
      return result;
    }),
  );
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
      // Nothing captured was compared warm.
      "–absent",
      format(figures?.latencySeconds.p50, 1000),
      format(figures?.latencySeconds.p99, 1000),
      format(observation!.attempted - observation!.correct, 1, 0),
      format(subject?.cpuSecondsPerAnswer, 1e6),
      format(subject?.peakMemoryBytes, 1 / 1024 ** 2),
    ];
  });
}

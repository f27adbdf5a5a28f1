import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DOMParser, onErrorStopParsing } from "@xmldom/xmldom";
import { exampleRun } from "../../testing/example_run.ts";
import { ratesOf } from "../../results/rate_sweep.ts";
import { median } from "../../statistics/mod.ts";
import { threeDigits } from "../three_digits.ts";
import { marksWith } from "../marks.ts";
import { picturesOf } from "./pictures.ts";
import { colours, shapes, spread } from "./svg.ts";
import type { Repetition, Result } from "../../results/result_schema.ts";

const results = exampleRun("20260105T000000Z-0000005");
const marks = marksWith(new Map(), results);

function draw(results: Result[]) {
  return new Map(
    picturesOf(results, marksWith(new Map(), results)).map((picture) => [picture.name, picture]),
  );
}

/** Makes a load last longer than a minute, at a rate that never is the same. */
function withMinute(repetition: Repetition): Repetition {
  const { observation } = repetition;
  if (observation === undefined) return repetition;
  const correct = Array.from({ length: 260 }, (_, index) => 1000 + (index * 7919) % 9973);
  const series = { ...observation.series, correct };
  return { ...repetition, observation: { ...observation, series, durationSeconds: 65 } };
}

/** Returns the texts of elements of a picture, which must be well-formed. */
function textsOf(svg: string, name: string): string[] {
  const page = new DOMParser({ onError: onErrorStopParsing }).parseFromString(svg, "image/svg+xml");
  return [...page.getElementsByTagName(name)].map(({ textContent }) => textContent ?? "");
}

Deno.test("picturesOf() draws three, each with the run, the machine, the project and what interval it has", () => {
  const pictures = picturesOf(results, marks);
  assertEquals(pictures.map(({ name }) => name), [
    "first-minute",
    "start-costs",
    "until-it-breaks",
  ]);
  for (const { svg, title, description } of pictures) {
    const shown = textsOf(svg, "text").join("\n");
    for (const part of [title, results[0]!.runId, "Example CPU, 2 processors", "Backbench"]) {
      assertStringIncludes(shown, part);
    }
    assert(/no interval|medians of starts/.test(shown), shown);
    assertEquals(textsOf(svg, "desc"), [description]);
  }
});

Deno.test("picturesOf() says at least of who sustained the highest rate that was offered", () => {
  const fast = results.map((result) => {
    const { rateSweep } = result;
    const sustainablePerSecond = Math.max(...rateSweep!.plan.ratesPerSecond);
    return result.impl.id === "swift"
      ? { ...result, rateSweep: { ...rateSweep!, sustainablePerSecond } }
      : result;
  });
  const said = (results: Result[]) => draw(results).get("until-it-breaks")!.description;
  assertMatch(said(fast), /Swift sustained ≥ \d/);
  assertMatch(said(results), /Swift sustained \d/);
});

Deno.test("picturesOf() has the figures of the results in its words", () => {
  const pictures = draw(results);
  const costs = textsOf(pictures.get("start-costs")!.svg, "title").join("\n");
  const broken = textsOf(pictures.get("until-it-breaks")!.svg, "title").join("\n");
  for (const { impl, startup, levels, rateSweep } of results) {
    const ms = 1e3 * median(startup!.blocks.flatMap(({ subject }) => subject.seconds));
    const bytes = levels[0]!.repetitions.at(-1)!.observation!.resources!.subject.peakMemoryBytes;
    assertStringIncludes(
      costs,
      `${impl.name}: ${threeDigits(ms)} ms, ${threeDigits(bytes! / 1024 ** 2)} MiB`,
    );
    for (const { ratePerSecond, latencySeconds } of ratesOf(rateSweep!)) {
      if (latencySeconds === undefined) continue;
      assertStringIncludes(
        broken,
        `${impl.name}, ${threeDigits(ratePerSecond)} requests/s: ${
          threeDigits(1e3 * latencySeconds.p99)
        } ms`,
      );
    }
  }
  const { description } = pictures.get("first-minute")!;
  assert(/Freezing: [^;]* at the end, a stall(;|$)/.test(description), description);
});

Deno.test("picturesOf() escapes names, and keeps below 60 kB with 40 implementations", () => {
  const many = Array.from({ length: 40 }, (_, index) => {
    const result = results[index % results.length]!;
    const levels = result.levels.map((level) => ({
      ...level,
      repetitions: level.repetitions.map(withMinute),
    }));
    return {
      ...result,
      levels,
      impl: { ...result.impl, id: `impl-${index}`, name: `Impl <${index}> & "x"` },
    };
  });
  for (const { name, svg } of draw(many).values()) {
    assert(svg.length < 60_000, `${name} has ${svg.length} bytes`);
    assert(textsOf(svg, "title").length > 0);
  }
});

Deno.test("picturesOf() draws nothing of different machines, and only what was measured", () => {
  const [first, ...others] = results;
  const moved = { ...first!, machine: { ...first!.machine, cpuModel: "Other CPU" } };
  assertEquals(picturesOf([moved, ...others], marks), []);
  const loaded = results.map(({ startup: _, rateSweep: __, ...result }) => result);
  assertEquals(picturesOf(loaded, marks).map(({ name }) => name), ["first-minute"]);
});

Deno.test("spread() keeps labels apart, in their order, and above the bottom", () => {
  assertEquals(spread([10, 12, 50], 20, 100), [10, 30, 50]);
  assertEquals(spread([95, 99], 20, 100), [80, 100]);
});

Deno.test("pictures have the marks and colours of the pages", async () => {
  const read = (path: string) =>
    Deno.readTextFile(new URL(`../../../site/${path}`, import.meta.url));
  const template = await read("layouts/_partials/shape.html");
  for (const shape of shapes) assertStringIncludes(template, `"${shape}"`);
  const style = await read("assets/site.css");
  for (const [index, colour] of colours.entries()) {
    assertStringIncludes(style, `--series-${index}: light-dark(${colour},`);
  }
});

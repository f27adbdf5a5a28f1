import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DOMParser, onErrorStopParsing } from "@xmldom/xmldom";
import { exampleRun } from "../../testing/example_run.ts";
import { pngSize } from "../../testing/png.ts";
import { deriveOne } from "../derived_run.ts";
import { headlineOf } from "../headline.ts";
import { marksWith } from "../marks.ts";
import { threeDigits } from "../three_digits.ts";
import { cardOf } from "./card.ts";
import { brokenAt, cutAt, widthOf } from "./line_width.ts";
import { pngRenderer } from "./png.ts";
import { runCard } from "../cards.ts";
import { size } from "./svg.ts";

const results = exampleRun("20260105T000000Z-0000005");
const { exported } = deriveOne(results, { local: false, earlier: [] });
const headline = headlineOf(exported);
const marks = marksWith(new Map(), results);

function textsOf(svg: string): string[] {
  const page = new DOMParser({ onError: onErrorStopParsing }).parseFromString(svg, "image/svg+xml");
  return [...page.getElementsByTagName("text")].map(({ textContent }) => textContent ?? "");
}

Deno.test("runCard() has the answer, every figure of the run's file, machine, run, interval and the project", () => {
  const { svg, title } = runCard(headline, marks);
  const shown = textsOf(svg);
  assertStringIncludes(shown.join(" "), title);
  for (
    const part of [exported.id, "Example CPU, 2 processors", "interval of this run", "jwt-mysql"]
  ) {
    assertStringIncludes(shown.join("\n"), part);
  }
  assert(shown.includes("Backbench"));
  const rates = exported.impls.flatMap(({ class: implClass, levels }) =>
    implClass === "tuned"
      ? []
      : levels.filter(({ connections, cold }) =>
        connections === headline.connections && cold.missing === undefined
      ).flatMap(({ warm }) => warm.goodputPerSecond?.estimate ?? [])
  );
  assert(rates.length > 1);
  for (const rate of rates) {
    assert(shown.some((text) => text.endsWith(`${threeDigits(rate)}/s`)), `${rate}: ${shown}`);
  }
});

Deno.test("cardOf() keeps within the picture with 40 rows and long names, below 60 kB, and shows those that it is about", () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({
    id: `impl-${index}`,
    name: `An implementation <with> a name that is far too long for its column ${index}`,
    order: index,
    plot: { at: 50, bar: { from: 0, to: 40 }, interval: { from: 45, to: 60 } },
    ...{ relative: "50 %", interval: "45–60 %", absolute: "12,300/s" },
  }));
  const { svg } = cardOf("card", {
    ...{ rows, ticks: [{ at: 0, text: "0 %" }], axis: "throughput", source: "run 1" },
    ...{ title: "A finding of many words ".repeat(8).trim(), question: "Which? ".repeat(40) },
    emphasised: ["impl-39"],
  });
  assert(svg.length < 60_000);
  const shown = textsOf(svg);
  assert(shown.includes("and 32 more"));
  assertEquals(shown.filter((text) => text === "45–60 %").length, 8);
  assert(svg.includes("column 39: 50 % (45–60 %), 12,300/s</title></use>"));
  const places = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"/g)];
  assert(places.length > 20);
  for (const [, x, y] of places) {
    assert(Number(x) <= size.width && Number(y) <= size.height, `${x} ${y}`);
  }
});

Deno.test("pngRenderer() renders a card of 1200 × 630 with letters, the same twice", async () => {
  await using renderer = await pngRenderer();
  const { svg } = runCard(headline, marks);
  const [png, again] = await Promise.all([renderer.render(svg), renderer.render(svg)]);
  assertEquals(pngSize(png!), size);
  assertEquals(png, again);
  // Without a font, resvg draws nothing where letters should be.
  const mute = await renderer.render(svg.replaceAll(/<text.*?<\/text>/g, ""));
  assert(png!.length > 1.5 * mute.length, `${png!.length} and ${mute.length} bytes`);
});

Deno.test("brokenAt() breaks between words, and cutAt() cuts with an ellipsis", () => {
  const sentence = "Go and Rust lead, tied; Go answers 1.6 times as many requests as the next.";
  const lines = brokenAt(sentence, 400, 40);
  assertEquals(lines.join(" "), sentence);
  assert(lines.length > 1);
  for (const line of lines) assert(widthOf(line, 40) <= 400, line);
  const cut = cutAt(sentence, 200, 20);
  assert(cut.endsWith("…") && widthOf(cut, 20) <= 200, cut);
  assertEquals(cutAt("Go", 200, 20), "Go");
});

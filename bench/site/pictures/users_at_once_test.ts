import { assertEquals, assertStringIncludes } from "@std/assert";
import { DOMParser, onErrorStopParsing } from "@xmldom/xmldom";
import { exampleBursts } from "../../testing/example_bursts.ts";
import { marksWith } from "../marks.ts";
import { picturesOf } from "./pictures.ts";

const results = exampleBursts("20260105T000000Z-0000005");

function textsOf(svg: string, name: string): string[] {
  const page = new DOMParser({ onError: onErrorStopParsing }).parseFromString(svg, "image/svg+xml");
  return [...page.getElementsByTagName(name)].map(({ textContent }) => textContent ?? "");
}

Deno.test("a run of bursts has one picture: waits and failures over users, with the figures as words", () => {
  const pictures = picturesOf(results, marksWith(new Map(), results));
  assertEquals(pictures.map(({ name }) => name), ["users-at-once"]);
  const [{ svg, description }] = pictures as [typeof pictures[number]];
  assertEquals(
    description,
    "Steady: 1,000 users 1.11 s, 0 % failed, 10,000 users 1.11 s, 0 % failed; " +
      "Queueing: 1,000 users 3 s, 0 % failed, 10,000 users 21.2 s, 17.2 % failed",
  );
  const titles = textsOf(svg, "title");
  for (const title of ["Queueing, 10,000 users: 21.2 s", "Queueing, 10,000 users: 17.2 % failed"]) {
    assertStringIncludes(titles.join("\n"), title);
  }
  // Whoever has no valid burst has no line, and a title for each mark, and for the picture.
  assertEquals(titles.length, 1 + 2 * 2 * 2);
  assertStringIncludes(textsOf(svg, "text").join("\n"), "95 % intervals over 3 rounds");
});

Deno.test("a run without a valid burst has no picture of bursts", () => {
  const cheating = results.slice(2);
  assertEquals(picturesOf(cheating, marksWith(new Map(), cheating)), []);
});

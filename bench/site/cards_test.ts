import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { answerViews } from "./answer/answers.ts";
import { type Badge, writeCards, writeClaimCards } from "./cards.ts";
import { judgeClaims } from "./claims/claims.ts";
import { readClaims } from "./claims/file.ts";
import { deriveOne } from "./derived_run.ts";
import { headlineOf, standingOverRuns } from "./headline.ts";
import { marksWith } from "./marks.ts";
import type { PictureFiles } from "./pictures/files.ts";
import type { Picture } from "./pictures/picture.ts";
import { exampleRun } from "../testing/example_run.ts";
import { placeWords } from "../results/standing.ts";
import { ratioTexts } from "../results/words.ts";

const results = exampleRun("20260105T000000Z-0000005");
const { exported, runs } = deriveOne(results, { local: false, earlier: [] });
const current = [{ api: exported, results, known: runs }];
const marks = marksWith(new Map(), results);

/** Keeps what would be written. */
function kept() {
  const cards = new Map<string, Picture>();
  const png: string[] = [];
  const written = new Map<string, unknown>();
  const files: PictureFiles = {
    add: (path, _, { isPng = false } = {}) => {
      if (isPng) png.push(path);
      return Promise.resolve();
    },
    addCard: (address, picture) => {
      cards.set(address, picture);
      return Promise.resolve();
    },
    share: (address, of) => {
      cards.set(address, cards.get(of)!);
    },
    finish: () => Promise.resolve(),
  };
  const write = (path: string, content: unknown) => {
    written.set(path, content);
    return Promise.resolve();
  };
  return { cards, png, written, files, write };
}

Deno.test("writeCards() has a card for each answer and implementation, with the place that pairs give", async () => {
  const { cards, png, written, files, write } = kept();
  const views = answerViews(current, marks);
  await writeCards(current, { views, marks, files, write });
  for (const { address, answer } of views) assertEquals(cards.get(address)?.title, answer);
  assertEquals(cards.get("scenarios/jwt-mysql/"), cards.get(""));
  const headline = headlineOf(exported, (level) => standingOverRuns(runs, level));
  const badges = written.get("data/badges.json") as Record<string, Badge>;
  const entries = headline.classes.flatMap(({ entries }) => entries);
  assertEquals(Object.keys(badges).length, entries.length);
  for (const entry of entries) {
    const place = placeWords(entry) ?? "not ranked";
    const { words, file } = badges[`impls/${entry.id}`]!;
    const of = place === "not ranked" ? "" : " of 3";
    assertEquals(words, `${place}${of}, jwt-mysql, 10 connections`);
    assertStringIncludes(String(written.get(`static/${file}`)), `>${words}</text>`);
    assertStringIncludes(cards.get(`impls/${entry.id}/`)!.title, ` is ${place} `);
  }
  assert(entries.some((entry) => /1st$/.test(placeWords(entry) ?? "")));
  assertEquals(
    png,
    ["first-minute", "start-costs", "until-it-breaks"].map((name) => `pictures/jwt-mysql/${name}`),
  );
});

Deno.test("writeClaimCards() has the verdict, and the measured figure with its interval at each level", async () => {
  const path = fromFileUrl(new URL("../../site/data/claims.toml", import.meta.url));
  const { bands, articles, claims: [first] } = await readClaims(path);
  const ids = results.filter(({ impl }) => impl.class === "standard").map(({ impl }) => impl.id);
  const query = {
    ...{ kind: "ratio" as const, scenario: "jwt-mysql" as const, about: 2 },
    ...{ subject: ids[0]!, reference: ids[1]!, levels: [10, 50] },
  };
  const judged = judgeClaims(
    {
      bands,
      articles,
      claims: [{ ...first!, query }, {
        ...first!,
        id: "later",
        query: { kind: "not-yet", reason: "Nothing does it." },
      }],
    },
    [{ results, runs }],
  );
  const { cards, files } = kept();
  await writeClaimCards(judged, files);
  const [claim] = judged.claims;
  const { title, svg } = cards.get(`claims/${first!.id}/`)!;
  assertStringIncludes(title.toLowerCase(), `${claim!.verdict}: ${claim!.claim.toLowerCase()}`);
  const measured = claim!.levels.flatMap(({ measured }) => measured ?? []);
  assert(measured.length > 0);
  for (const { estimate, low, high } of measured) {
    const texts = ratioTexts({ estimate, low, high });
    assertStringIncludes(svg, `${texts.estimate} ×</text>`);
    assertStringIncludes(svg, `>${texts.range}</text>`);
  }
  assertStringIncludes(cards.get("claims/later/")!.svg, "Nothing does it.");
});

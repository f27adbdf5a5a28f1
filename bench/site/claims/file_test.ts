import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { commandToReproduce, parseClaims, readClaims } from "./file.ts";
import { listImplIds } from "../../impl/discover.ts";
import { BenchError } from "../../lib/error.ts";
import { makePlan, planFor } from "../../results/plan.ts";
import { loadContracts } from "../../scenario/words.ts";

const root = fromFileUrl(new URL("../../..", import.meta.url));

const example = `
[bands]
aboutFactor = 1.15
benefitRatio = 1.05

[articles.one]
title = "One"
setting = "a laptop"

[[claims]]
id = "first"
article = "one"
claim = "It is three times as fast"
figure = "about 3"
query = { kind = "ratio", subject = "a", reference = "b", levels = [10], about = 3 }
`;

/** Parses the example with one line in another's place, and returns the message. */
function messageFor(line: RegExp, replacement: string): string {
  assert(line.test(example));
  return assertThrows(
    () => parseClaims(example.replace(line, replacement), "claims.toml"),
    BenchError,
  ).message;
}

Deno.test("claims.toml holds claims of all five articles, and tests implementations that exist", async () => {
  const { articles, claims } = await readClaims(`${root}/site/data/claims.toml`);
  const impls = await listImplIds(`${root}/impls`);
  assertEquals(
    Object.keys(articles).sort(),
    [...new Set(claims.map(({ article }) => article))].sort(),
  );
  assertEquals(Object.keys(articles).length, 5);
  for (const { query } of claims) {
    if ("subject" in query) assert(impls.includes(query.subject), query.subject);
    if ("reference" in query) assert(impls.includes(query.reference), query.reference);
    if ("subjects" in query) { for (const id of query.subjects) assert(impls.includes(id), id); }
  }
});

Deno.test("claims.toml asks only for what a full run measures: a level without figures would decide no claim, ever", async () => {
  const contracts = new Map((await loadContracts()).map((contract) => [contract.id, contract]));
  const { claims } = await readClaims(`${root}/site/data/claims.toml`);
  for (const { id, query } of claims) {
    if (!("scenario" in query)) continue;
    const { protocols, full } = contracts.get(query.scenario)!;
    const plan = planFor(protocols, makePlan("full", {}, 1, full));
    const missing = (asked: number | readonly number[], measured: readonly number[]) =>
      [asked].flat().filter((one) => !measured.includes(one));
    if (query.kind === "burst") {
      const steps = plan.bursts!.steps.filter((it) => it.delaySeconds === query.delaySeconds);
      assertEquals(missing(query.users, steps.map(({ users }) => users)), [], id);
    } else if (query.kind === "overhead") {
      const steps = plan.bursts!.steps.filter((it) => it.users === query.users);
      const delays = steps.map(({ delaySeconds }) => delaySeconds);
      assertEquals(missing(query.delaysSeconds, delays), [], id);
    } else if ("users" in query) {
      const users = plan.deliveries!.steps.map((step) => step.users);
      assertEquals(missing(query.users, users), [], id);
      if (query.kind === "lost") assertEquals(missing(query.shown ?? [], users), [], id);
    } else {
      const isCold = query.kind === "failures" || query.kind === "cold-ratio";
      const levels = isCold ? plan.levels : plan.comparison!.levels;
      assertEquals(missing(query.levels, levels), [], id);
    }
  }
});

Deno.test("parseClaims() names the claim, the misspelt key and the nearest", () => {
  assertEquals(
    messageFor(/about = 3 /, "abuot = 3 "),
    'Cannot parse "claims.toml": claim "first": key "query.about" is missing, expected number\n' +
      'Cannot parse "claims.toml": claim "first": unknown key "query.abuot", expected one of ' +
      'kind, scenario, subject, reference, levels, about, upTo; did you mean "about"?',
  );
  assertEquals(
    messageFor(/^setting/m, "seting"),
    'Cannot parse "claims.toml": key "articles.one.setting" is missing, expected string\n' +
      'Cannot parse "claims.toml": unknown key "articles.one.seting", expected one of ' +
      'title, author, date, url, setting, reproductions; did you mean "setting"?',
  );
});

Deno.test("parseClaims() says which kinds of queries there are", () => {
  assertEquals(
    messageFor(/"ratio"/, '"rate"'),
    'Cannot parse "claims.toml": claim "first": key "query.kind": expected one of ' +
      "ratio, cold-ratio, no-benefit, goodput, cost, failures, burst, lost, deliveries, overhead, no-figure, not-yet",
  );
});

Deno.test("parseClaims() wants each id once, and an article that is there", () => {
  const claim = example.slice(example.indexOf("[[claims]]"));
  assertEquals(
    messageFor(/$/, claim.replace('"one"', '"two"')),
    'Cannot parse "claims.toml": claim "first" appears twice, expected each id once\n' +
      'Cannot parse "claims.toml": claim "first": key "article" is "two", expected one of one',
  );
});

Deno.test("parseClaims() wants each level once", () => {
  assertEquals(
    messageFor(/\[10\]/, "[10, 10]"),
    'Cannot parse "claims.toml": claim "first": key "query.levels": expected each level once',
  );
});

Deno.test("what claims.toml says to reproduce an article is of no profile, with implementations that exist", async () => {
  const { articles } = await readClaims(`${root}/site/data/claims.toml`);
  const impls = await listImplIds(`${root}/impls`);
  const all = Object.entries(articles).flatMap(([id, { reproductions = [] }]) =>
    reproductions.map((reproduction) => ({ id, reproduction }))
  );
  assert(all.length > 0);
  for (const { id, reproduction } of all) {
    assertMatch(commandToReproduce(id, reproduction), new RegExp(` --reproduces ${id}$`));
    assert(impls.includes(reproduction.impl), reproduction.impl);
  }
});

Deno.test("what claims.toml says to follow from an article's figures does", async () => {
  const { claims } = await readClaims(`${root}/site/data/claims.toml`);
  const sentences = claims.flatMap(({ implies = [] }) => implies);
  assert(sentences.length > 0);
  for (const sentence of sentences) {
    const equations = [...sentence.matchAll(/([\d.,]+(?: [×÷+−] [\d.,]+)+) (?:=|≈) ([\d.,]*\d)/g)];
    assert(equations.length > 0, sentence);
    for (const [equation, left = "", right = ""] of equations) {
      const digits = right.split(".")[1]?.length ?? 0;
      // Large numbers may be rounded to three digits.
      const coarsest = Math.max(0.5 * 10 ** -digits, digits > 0 ? 0 : numberOf(right) / 200);
      const isExact = equation.includes(" = ");
      const error = Math.abs(valueOf(left) - numberOf(right));
      assert(error <= (isExact ? 1e-9 : coarsest), `${equation}: it is ${valueOf(left)}`);
    }
  }
});

/** Evaluates sums of products, such as `1 + 2 × 3`. */
function valueOf(expression: string): number {
  const [sum, sign, rest] = expression.match(/^(.*) ([+−]) (.*?)$/)?.slice(1) ?? [];
  if (sign !== undefined) return valueOf(sum!) + (sign === "+" ? 1 : -1) * valueOf(rest!);
  const [product, operator, factor] = expression.match(/^(.*) ([×÷]) (.*?)$/)?.slice(1) ?? [];
  if (operator === undefined) return numberOf(expression);
  return operator === "×"
    ? valueOf(product!) * numberOf(factor!)
    : valueOf(product!) / numberOf(factor!);
}

function numberOf(text: string): number {
  return Number(text.replaceAll(",", ""));
}

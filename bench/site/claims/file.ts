/**
 * The claims of well-known articles in `site/data/claims.toml`: each reworded, with the query over a run's results
 * that tests it.
 */
import { parse as parseToml } from "@std/toml";
import { z } from "zod";
import { BenchError, messageOf } from "../../lib/error.ts";
import { suggestion } from "../../lib/nearest.ts";
import { implIdSchema } from "../../results/environment_schema.ts";
import { defaultScenarioId, scenarioIds } from "../../scenario/ids.ts";
import { makePlan } from "../../results/plan.ts";
import { repeatCommand } from "../../results/repeat_command.ts";
import { positiveCount, text } from "../../results/values.ts";

const levels = z.array(positiveCount).min(1).refine(
  (levels) => new Set(levels).size === levels.length,
  "expected each level once",
);
const scenario = z.enum(scenarioIds).default(defaultScenarioId).describe(
  "the scenario of the claim",
);
const pair = { scenario, subject: implIdSchema, reference: implIdSchema };
const id = text.regex(/^[a-z][a-z0-9-]*$/, "expected lower-case letters, digits and hyphens");
const factor = z.number().gt(1);

const figures = {
  about: z.number().positive(),
  upTo: z.number().positive().optional().describe(
    "the highest, where the article gives several figures; `about` is then the lowest",
  ),
};

const queries = {
  ratio: z.strictObject({
    kind: z.literal("ratio").describe(
      "the subject's goodput is about this many times the reference's",
    ),
    ...pair,
    levels,
    ...figures,
  }),
  "cold-ratio": z.strictObject({
    kind: z.literal("cold-ratio").describe(
      "how many times the reference's goodput is the subject's, over the first requests to fresh processes: without an interval, so beside the article's only",
    ),
    ...pair,
    levels,
    requests: z.strictObject({ subject: positiveCount, reference: positiveCount }).describe(
      "how many the article sent to each",
    ),
  }),
  "no-benefit": z.strictObject({
    kind: z.literal("no-benefit").describe("the subject is not faster than the reference"),
    ...pair,
    levels,
  }),
  goodput: z.strictObject({
    kind: z.literal("goodput").describe("an absolute rate, on the author's machine"),
    scenario,
    subject: implIdSchema,
    levels,
    ...figures,
  }),
  cost: z.strictObject({
    kind: z.literal("cost").describe(
      "the subject's goodput in hello is about this many times that of the scenario",
    ),
    scenario,
    subject: implIdSchema,
    levels,
    about: z.number().positive(),
  }),
  failures: z.strictObject({
    kind: z.literal("failures").describe("how many requests of a load fail: none, or most"),
    scenario,
    subject: implIdSchema,
    levels,
    claimed: z.enum(["none", "most"]),
  }),
  burst: z.strictObject({
    kind: z.literal("burst").describe(
      "of many users at once, the mean wait in seconds or the share without an answer is about this",
    ),
    scenario: z.enum(scenarioIds).default("delay"),
    subject: implIdSchema,
    users: levels.describe("all at once"),
    delaySeconds: z.number().positive().describe("how long each asks the server to wait"),
    figure: z.enum(["meanSeconds", "failedShare"]),
    ...figures,
  }),
  lost: z.strictObject({
    kind: z.literal("lost").describe("how many notifications are not passed on: none, or some"),
    scenario: z.enum(scenarioIds).default("notify"),
    subject: implIdSchema,
    users: levels.describe("who notify at a rate together"),
    shown: levels.optional().describe(
      "other numbers of users, whose figures are shown and not judged, so that the claim is at most not decided; the claim says why",
    ),
    claimed: z.enum(["none", "some"]),
  }),
  deliveries: z.strictObject({
    kind: z.literal("deliveries").describe(
      "figures of notifications at a rate: without intervals, so beside the article's only",
    ),
    scenario: z.enum(scenarioIds).default("notify"),
    subjects: z.array(implIdSchema).min(1),
    users: positiveCount.describe("who notify at this rate together"),
  }),
  overhead: z.strictObject({
    kind: z.literal("overhead").describe(
      "how much longer than the delay many users at once wait, for several delays: the article has no figure, so nothing decides",
    ),
    scenario: z.enum(scenarioIds).default("delay"),
    subjects: z.array(implIdSchema).min(1),
    users: positiveCount.describe("all at once"),
    delaysSeconds: z.array(z.number().positive()).min(2).describe(
      "what they ask the server to wait",
    ),
  }),
  "no-figure": z.strictObject({
    kind: z.literal("no-figure").describe("nothing that an interval could contradict"),
    reason: text,
  }),
  "not-yet": z.strictObject({
    kind: z.literal("not-yet").describe("a scenario or an implementation is missing"),
    reason: text,
  }),
};
const querySchema = z.discriminatedUnion("kind", [
  queries.ratio,
  queries["cold-ratio"],
  queries["no-benefit"],
  queries.goodput,
  queries.cost,
  queries.failures,
  queries.burst,
  queries.lost,
  queries.deliveries,
  queries.overhead,
  queries["no-figure"],
  queries["not-yet"],
]);

const bandsSchema = z.strictObject({
  aboutFactor: factor.describe("“about x” means from x divided by this to x times this"),
  benefitRatio: factor.describe("the ratio from which a benefit counts"),
});

const reproductionSchema = z.strictObject({
  impl: implIdSchema,
  scenario,
  levels: levels.describe("open connections, each a level"),
  requests: positiveCount.describe("measured at each level"),
  pool: positiveCount.optional().describe("database connections, where the article says"),
});

const articleSchema = z.strictObject({
  title: text,
  author: text.optional(),
  date: text.optional(),
  url: z.url().optional(),
  setting: text.describe("what was measured, and on what"),
  reproductions: z.array(reproductionSchema).min(1).optional().describe(
    "what of the article's setting can be measured here; their runs are in no ranking",
  ),
});

const claimSchema = z.strictObject({
  id,
  article: text.describe("a key of articles"),
  claim: text.describe("in our words"),
  figure: text.describe("as the article gives it"),
  setting: text.optional().describe("of this claim, beside that of its article"),
  implies: z.array(text).min(1).optional().describe(
    "what follows from the article's own figures, each a sentence with its arithmetic",
  ),
  query: querySchema,
});

const claimsFileSchema = z.strictObject({
  bands: bandsSchema,
  articles: z.record(id, articleSchema),
  claims: z.array(claimSchema).min(1),
});

export type ClaimsFile = z.infer<typeof claimsFileSchema>;
export type ClaimQuery = z.infer<typeof querySchema>;
/** What an article gives: a figure, or the lowest and the highest of several. */
export type Figures = Pick<Extract<ClaimQuery, { kind: "ratio" }>, "about" | "upTo">;
export type Reproducible = z.infer<typeof reproductionSchema>;
export type Bands = z.infer<typeof bandsSchema>;

/** Returns the command that measures what an article did, as far as that is a matter of counts. */
export function commandToReproduce(
  article: string,
  { impl, scenario, levels, requests, pool: poolMax }: Reproducible,
): string {
  const plan = makePlan("full", { levels, requests, poolMax }, 0);
  return repeatCommand(impl, scenario, { ...plan, reproduces: article });
}

/**
 * Reads the file of claims.
 *
 * @throws {BenchError} with one line for each thing that is wrong.
 */
export async function readClaims(path: string): Promise<ClaimsFile> {
  let toml: string;
  try {
    toml = await Deno.readTextFile(path);
  } catch (cause) {
    const what = cause instanceof Deno.errors.NotFound ? "file does not exist" : messageOf(cause);
    throw new BenchError(`Cannot load "${path}": ${what}`, { cause });
  }
  return parseClaims(toml, path);
}

/** Parses the text of a file of claims; `path` is for messages. */
export function parseClaims(toml: string, path: string): ClaimsFile {
  let data: unknown;
  try {
    data = parseToml(toml);
  } catch (cause) {
    throw new BenchError(`Cannot parse "${path}": ${messageOf(cause)}`, { cause });
  }
  const parsed = claimsFileSchema.safeParse(data);
  const problems = parsed.success
    ? inconsistencies(parsed.data)
    : parsed.error.issues.flatMap((issue) => describeIssue(issue, data));
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new BenchError(problems.map((problem) => `Cannot parse "${path}": ${problem}`).join("\n"));
}

function inconsistencies({ articles, claims }: ClaimsFile): string[] {
  const ids = claims.map(({ id }) => id);
  return claims.flatMap(({ id, article }, index) => [
    ...(ids.indexOf(id) < index ? [`claim "${id}" appears twice, expected each id once`] : []),
    ...(Object.hasOwn(articles, article) ? [] : [
      `claim "${id}": key "article" is "${article}", expected one of ` +
      Object.keys(articles).join(", "),
    ]),
  ]);
}

function describeIssue(issue: z.core.$ZodIssue, data: unknown): string[] {
  const { where, keys } = placeOf(issue.path, data);
  const key = keys.join(".");
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(issue.path, data);
    return issue.keys.map((unknown) =>
      `${where}unknown key "${[...keys, unknown].join(".")}", expected one of ${known.join(", ")}${
        suggestion(unknown, known)
      }`
    );
  }
  if (issue.code === "invalid_union") {
    return [`${where}key "${key}": expected one of ${Object.keys(queries).join(", ")}`];
  }
  if (issue.code === "invalid_type" && /received undefined/.test(issue.message)) {
    return [`${where}key "${key}" is missing, expected ${issue.expected}`];
  }
  return [`${where}key "${key}": ${issue.message}`];
}

const ofClaim = z.object({ id: text });
const ofQuery = z.object({ query: z.object({ kind: z.object(queries).keyof() }) });

/** Names a claim by its id, if it has one, else by its position. */
function placeOf(path: PropertyKey[], data: unknown): { where: string; keys: string[] } {
  const claim = ofClaim.safeParse(claimAt(path, data)).data;
  return claim === undefined
    ? { where: "", keys: path.map(String) }
    : { where: `claim "${claim.id}": `, keys: path.slice(2).map(String) };
}

function claimAt([first, index]: PropertyKey[], data: unknown): unknown {
  if (first !== "claims" || typeof index !== "number") return undefined;
  return z.object({ claims: z.array(z.unknown()) }).safeParse(data).data?.claims[index];
}

function knownKeys(path: PropertyKey[], data: unknown): string[] {
  if (path.length === 0) return Object.keys(claimsFileSchema.shape);
  if (path[0] === "bands") return Object.keys(bandsSchema.shape);
  if (path[0] === "articles") return Object.keys(articleSchema.shape);
  if (path.length === 2) return Object.keys(claimSchema.shape);
  const kind = ofQuery.safeParse(claimAt(path, data)).data?.query.kind;
  return kind === undefined ? [] : Object.keys(queries[kind].shape);
}

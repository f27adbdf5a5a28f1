/**
 * Discover: which implementations are there, and what do they say of themselves? Takes the folder that
 * holds them; gives each one's id, folder and checked `impl.toml`. An implementation is its folder:
 * no list names it again.
 */
import { join } from "@std/path";
import { closestString } from "@std/text";
import { parse as parseToml } from "@std/toml";
import { z } from "zod";
import { BenchError, messageOf } from "../lib/error.ts";
import { scenarioIds } from "../scenario/ids.ts";
import { loadContracts, type Need } from "../scenario/words.ts";
import { implIdSchema } from "../results/result_schema.ts";
import { ecosystemNames } from "./ecosystems.ts";
import { type Impl, type Manifest, manifestSchema } from "./impl.ts";

/** Returns the ids of all implementations below `folder`, in alphabetical order. */
export async function listImplIds(folder: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory && !entry.name.startsWith(".")) ids.push(entry.name);
  }
  return ids.sort();
}

/**
 * Reads one implementation.
 *
 * @throws {BenchError} when there is none of that id (naming the nearest), or its name or `impl.toml` is not right.
 */
export async function discoverImpl(folder: string, id: string): Promise<Impl> {
  const ids = await listImplIds(folder);
  if (!ids.includes(id)) {
    throw new BenchError(
      `Cannot find implementation "${id}": no such folder, expected one of ${ids.join(", ")}`,
      ids.length === 0 ? {} : { help: `Did you mean "${closestString(id, ids)}"?` },
    );
  }
  const name = implIdSchema.safeParse(id);
  if (!name.success) {
    throw new BenchError(
      `Cannot use "${join(folder, id)}" as an implementation: ` +
        `its name is "${id}", ${name.error.issues[0]?.message}`,
    );
  }
  const path = join(folder, id, "impl.toml");
  const manifest = await parseManifest(await readManifest(path), path);
  return { id, folder: join(folder, id), manifest, needs: await needsOf(manifest.scenarios) };
}

/** @throws {BenchError} when an implementation does not list a scenario. */
export function requireListed({ id, manifest: { scenarios } }: Impl, scenarioId: string): void {
  if (scenarios.includes(scenarioId)) return;
  throw new BenchError(
    `Cannot use "${id}" for scenario "${scenarioId}": its impl.toml lists ${scenarios.join(", ")}`,
    { help: `Once it meets the contract, add "${scenarioId}" to scenarios in its impl.toml.` },
  );
}

async function readManifest(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (cause) {
    const what = cause instanceof Deno.errors.NotFound ? "file does not exist" : messageOf(cause);
    throw new BenchError(`Cannot load "${path}": ${what}`, {
      help: "Copy the impl.toml of another implementation and change it.",
      cause,
    });
  }
}

/**
 * Parses the text of an `impl.toml`.
 *
 * @throws {BenchError} with one line for each thing that is wrong.
 */
export async function parseManifest(toml: string, path: string): Promise<Manifest> {
  let data: unknown;
  try {
    data = parseToml(toml);
  } catch (cause) {
    throw new BenchError(`Cannot parse "${path}": ${messageOf(cause)}`, { cause });
  }
  const parsed = manifestSchema.safeParse(data, { reportInput: true });
  const lines = [
    ...parsed.error?.issues.flatMap((issue) => describeIssue(issue)) ?? [],
    ...await describePackages(data),
  ];
  if (parsed.success && lines.length === 0) return parsed.data;
  throw new BenchError(lines.map((line) => `Cannot parse "${path}": ${line}`).join("\n"));
}

/** Returns what a server that does these scenarios must be given. */
export async function needsOf(scenarios: string[]): Promise<Need[]> {
  const contracts = (await loadContracts()).filter(({ id }) => scenarios.includes(id));
  return [...new Set(contracts.flatMap(({ needs }) => needs))];
}

const partSchema = z.object({
  scenarios: z.array(z.enum(scenarioIds)).min(1),
  driver: z.unknown().optional(),
  jwt: z.unknown().optional(),
});

/** Says where a package is missing that a scenario needs, and where one is named that none needs. */
async function describePackages(data: unknown): Promise<string[]> {
  const { data: part } = partSchema.safeParse(data);
  if (part === undefined) return [];
  const needs = await needsOf(part.scenarios);
  const listed = part.scenarios.join(", ");
  const describe = (key: "driver" | "jwt", need: Need, what: string) => {
    const isNeeded = needs.includes(need);
    if (isNeeded === (part[key] !== undefined)) return [];
    return isNeeded
      ? [`key "${key}" is missing, expected ${what}: its scenarios (${listed}) need ${need}`]
      : [`key "${key}" is given, expected none: its scenarios (${listed}) need no ${need}`];
  };
  return [
    ...describe("driver", "database", "the package that talks to the database"),
    ...describe("jwt", "tokens", "the package that verifies tokens"),
  ];
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const key = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const known = key === "requires" ? [...ecosystemNames] : Object.keys(manifestSchema.shape);
    return issue.keys.map((unknown) =>
      `unknown key "${key === "" ? "" : `${key}.`}${unknown}", expected one of ${
        known.join(", ")
      }; ` +
      `did you mean "${closestString(unknown, known)}"?`
    );
  }
  if (issue.code === "invalid_key") {
    return [`unknown key "${key}", expected one of requires.${ecosystemNames.join(", requires.")}`];
  }
  if (
    issue.code === "invalid_type" && issue.input === undefined && /undefined/.test(issue.message)
  ) {
    return [`key "${key}" is missing, expected ${issue.expected}`];
  }
  if (issue.code === "invalid_value" && issue.path[0] === "scenarios") {
    const unknown = String(issue.input);
    return [
      `key "scenarios" names "${unknown}", expected one of ${scenarioIds.join(", ")}; ` +
      `did you mean "${closestString(unknown, scenarioIds)}"?`,
    ];
  }
  return [`key "${key}": ${issue.message}`];
}

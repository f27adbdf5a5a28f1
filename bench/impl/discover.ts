/**
 * Discover: which implementations exist? Takes the folder that contains them; returns each one's id, folder and
 * validated `impl.toml`. The folder is the only place that names an implementation.
 */
import { join } from "@std/path";
import { parse as parseToml } from "@std/toml";
import { z } from "zod";
import { exists } from "../lib/exists.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import { helpToFind, suggestion } from "../lib/nearest.ts";
import { scenarioIds } from "../scenario/ids.ts";
import { loadContracts, type Need } from "../scenario/words.ts";
import { implIdSchema, ownServerIds } from "../results/environment_schema.ts";
import { ecosystemNames } from "./ecosystems.ts";
import { type Impl, type Manifest, manifestSchema } from "./impl.ts";

/**
 * Returns the ids of all implementations below `folder`, in alphabetical order. A folder without an `impl.toml` is none:
 * what a build left keeps the folder there when another branch is checked out.
 */
export async function listImplIds(folder: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory && await exists(join(folder, name, "impl.toml"))) ids.push(name);
  }
  return ids.sort();
}

/** Of a folder of another commit: its branch, tag or commit, and the folder of the present one. */
export interface Base {
  name: string;
  present: string;
}

/**
 * Reads one implementation.
 *
 * @throws {BenchError} when there is none of that id (naming the nearest, or that it is newer than a base), or its name or
 * `impl.toml` is invalid.
 */
export async function discoverImpl(folder: string, id: string, base?: Base): Promise<Impl> {
  const ids = await listImplIds(folder);
  if (!ids.includes(id) && !await exists(join(folder, id))) {
    if (base !== undefined && await exists(join(base.present, id))) {
      throw new BenchError(
        `Cannot find implementation "${id}": no such folder at ${base.name} (it is new since then), ` +
          "expected a commit that has it",
        { help: "Name a later commit, or leave --base out." },
      );
    }
    throw new BenchError(
      `Cannot find implementation "${id}": no such folder, expected one of ${ids.join(", ")}`,
      helpToFind(id, ids),
    );
  }
  const problem = problemOfId(id);
  if (problem !== undefined) {
    throw new BenchError(
      `Cannot use "${join(folder, id)}" as an implementation: its name is "${id}", ${problem}`,
    );
  }
  const path = join(folder, id, "impl.toml");
  const manifest = await parseManifest(await readManifest(path), path);
  return { id, folder: join(folder, id), manifest, needs: await needsOf(manifest.scenarios) };
}

/** Says what is expected of an id that no implementation can have; undefined where one can. */
export function problemOfId(id: string): string | undefined {
  if (ownServerIds.includes(id)) {
    return `expected another: ${ownServerIds.join(" and ")} are the harness's own servers`;
  }
  return implIdSchema.safeParse(id).error?.issues[0]?.message;
}

/** @throws {BenchError} when an implementation does not list a scenario. */
export function requireListed({ id, manifest: { scenarios } }: Impl, scenarioId: string): void {
  if (scenarios.includes(scenarioId)) return;
  throw new BenchError(
    `Cannot use "${id}" for scenario "${scenarioId}": its impl.toml lists ` +
      `${scenarios.join(", ")}, expected "${scenarioId}" among them`,
    { help: `Add "${scenarioId}" to scenarios in its impl.toml, then verify it.` },
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
  const isUnknown = parsed.error?.issues.some(({ code, path }) =>
    code === "unrecognized_keys" && path[0] === "requires"
  );
  throw new BenchError(lines.map((line) => `Cannot parse "${path}": ${line}`).join("\n"), {
    help: isUnknown
      ? "Another toolchain needs a file in bench/impl/ecosystems/: see CONTRIBUTING.md, Adding a language."
      : undefined,
  });
}

/** Returns what a server for these scenarios needs. */
export async function needsOf(scenarios: string[]): Promise<Need[]> {
  const contracts = (await loadContracts()).filter(({ id }) => scenarios.includes(id));
  return [...new Set(contracts.flatMap(({ needs }) => needs))];
}

const partSchema = z.object({
  scenarios: z.array(z.enum(scenarioIds)).min(1),
  driver: z.unknown().optional(),
  jwt: z.unknown().optional(),
  client: z.unknown().optional(),
});

/** Reports a package that is missing although a scenario needs it, or present although none does. */
async function describePackages(data: unknown): Promise<string[]> {
  const { data: part } = partSchema.safeParse(data);
  if (part === undefined) return [];
  const listed = (await loadContracts()).filter(({ id }) => part.scenarios.includes(id));
  const describe = (key: "driver" | "jwt" | "client", need: Need, what: string, why: string) => {
    const needing = listed.find(({ needs }) => needs.includes(need));
    if ((needing !== undefined) === (part[key] !== undefined)) return [];
    return needing === undefined
      ? [`key "${key}" is given, expected none: no scenario that it lists needs ${why}`]
      : [`key "${key}" is missing, expected ${what}: ${needing.id} needs ${why}`];
  };
  return [
    ...describe("driver", "database", "the package that talks to the database", "a database"),
    ...describe("jwt", "tokens", "the package that verifies tokens", "tokens"),
    ...describe("client", "upstream", "the package that calls other services", "an upstream"),
  ];
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const known = path === "requires" ? ecosystemNames : Object.keys(manifestSchema.shape);
    return issue.keys.map((key) =>
      `unknown key "${path === "" ? "" : `${path}.`}${key}", expected one of ` +
      `${known.join(", ")}${suggestion(key, known)}`
    );
  }
  if (issue.input === undefined) return [`key "${path}" is missing, expected ${expected(issue)}`];
  // An entry of a list is named after the list.
  const isEntry = typeof issue.path.at(-1) === "number";
  const key = isEntry ? issue.path.slice(0, -1).join(".") : path;
  const value = JSON.stringify(issue.input);
  return [`key "${key}" ${isEntry ? "holds" : "is"} ${value}, expected ${expected(issue)}`];
}

/** Describes the expected value. */
function expected(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "array"
        ? `a list of texts, like ${issue.path[0] === "scenarios" ? '["hello"]' : '["npm", "ci"]'}`
        : issue.expected === "record"
        ? 'a table: a line [requires], and below it lines like node = ">=26"'
        : "a text";
    case "too_small":
      return issue.origin === "array" ? "at least one entry" : "a text that is not empty";
    case "invalid_format":
      return "an address, like https://example.org";
    case "invalid_value":
      return `one of ${issue.values.join(", ")}` +
        (issue.path[0] !== "scenarios" ? "" : suggestion(String(issue.input), scenarioIds));
    default:
      return issue.message;
  }
}

/**
 * Node.js, as the package `node` of npm: an implementation names its release among its dependencies, and its build
 * fetches it. Only npm must be on this machine, with whatever Node.js it runs on.
 */
import { join } from "@std/path";
import { parse, type Range, satisfies } from "@std/semver";
import { z } from "zod";
import { type Ecosystem, type Found, type Surroundings, warmUpFactorOfV8 } from "../ecosystem.ts";
import { exists } from "../../lib/exists.ts";
import { BenchError } from "../../lib/error.ts";
import { findProgram } from "../../lib/find_program.ts";
import { outputOf } from "../../lib/output_of.ts";

const lockName = "package-lock.json";
const biome = ["npx", "--yes", "@biomejs/biome@2.6.8"];
/** Where npm puts the programs of packages. */
const programs = join("node_modules", ".bin");

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })),
});

const ownName = (id: string) => new RegExp(`^(\\s*"name": ")${id}(",?)$`, "gm");

export const ecosystem: Ecosystem = {
  ...npmRuntime("node"),
  warmUpFactor: warmUpFactorOfV8,
};

/** Returns the ecosystem of a runtime that is a package of npm, with a program of the package's name. */
export function npmRuntime(name: string): Ecosystem {
  return {
    find: (range, surroundings) => findLocked(name, range, surroundings),
    isBuiltIn: isOfNode,
    confirm: (version, surroundings) => confirmInstalled(name, version, surroundings),
    install: "Install any Node.js with npm (https://nodejs.org, or the package of your system): " +
      `npm fetches the runtime, the package "${name}" that package.json names`,
    keptForBuild: ["npm_config_cache", "npm_config_registry", "NODE_EXTRA_CA_CERTS"],
    lockFile: { name: lockName, read: readLock },
    // Two spaces, as npm writes package.json. Biome does not heed NO_COLOR.
    checks: [[...biome, "ci", "--indent-style=space", "--colors=off"]],
    repairs: [[...biome, "check", "--write", "--indent-style=space"]],
    // A package.json may have no name: npm then takes that of the folder.
    ownNames: { "package.json": ownName, [lockName]: ownName },
    dependabot: "npm",
  };
}

/** Tells whether a name is a global function of Node.js's or one of its modules, which Bun has, too. */
export function isOfNode(name: string): boolean {
  return name === "fetch" || /^node:\w/.test(name);
}

/** Reads the packages that programs of the implementation import: others, which only packages do, lie deeper. */
function readLock(text: string): Map<string, string> {
  return new Map(
    Object.entries(lockSchema.parse(JSON.parse(text)).packages).flatMap(([path, { version }]) => {
      const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
      return name === undefined || version === undefined ? [] : [[name, version] as const];
    }),
  );
}

async function findLocked(
  name: string,
  range: Range,
  { folder, env }: Surroundings,
): Promise<Found> {
  if (await findProgram("npm", env) === undefined) {
    return { version: undefined, whatIs: "npm was not found" };
  }
  if (!await exists(join(folder, lockName))) {
    return {
      version: undefined,
      whatIs: `there is no ${lockName}`,
      should: "the lock file that npm makes of package.json",
      remedy: "Make it, in its folder: npm install --package-lock-only",
    };
  }
  const version = await lockedVersion(name, folder);
  const add = `npm install --package-lock-only ${name}${releaseOf(range)}`;
  if (version === undefined) {
    return {
      version: undefined,
      whatIs: `${lockName} names no package "${name}"`,
      remedy: `Add it, in its folder: ${add} (npm fetches the runtime as a package)`,
    };
  }
  if (!satisfies(parse(version), range)) {
    return {
      version: undefined,
      whatIs: `its version in ${lockName} is ${version}`,
      remedy: `Change the range in impl.toml, or the lock file, in its folder: ${add}`,
    };
  }
  return { version, startPath: [join(folder, programs)] };
}

/** Returns the major release at which a range begins, as npm takes it, `@26`; empty where it has no lower bound. */
function releaseOf([[first] = []]: Range): string {
  const bound = first?.operator === ">=" || first?.operator === undefined
    ? first?.major
    : undefined;
  return bound ? `@${bound}` : "";
}

/** Returns the version of a package in the lock file of a folder; undefined if it has none, or cannot be read. */
async function lockedVersion(name: string, folder: string): Promise<string | undefined> {
  try {
    return readLock(await Deno.readTextFile(join(folder, lockName))).get(name);
  } catch {
    // What is wrong with it is told by who reads it for the versions.
    return undefined;
  }
}

/**
 * Asks the installed program for its version: the package `node` fetches it by an install script, past the lock file.
 *
 * @throws {BenchError} when it is another than the lock file's.
 */
async function confirmInstalled(
  name: string,
  version: string,
  { folder, env }: Surroundings,
): Promise<void> {
  const program = join(folder, programs, name);
  let said: string;
  try {
    const { stdout } = await outputOf([program, "--version"], { cwd: folder, env, clearEnv: true });
    said = stdout.trim();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    said = "nothing, because it is not there";
  }
  if (said.replace(/^v/, "") === version) return;
  throw new BenchError(
    `Cannot use "${program}": \`--version\` says ${said}, expected ${version}, as in ${lockName}`,
    {
      help:
        "Remove node_modules, and see whether install scripts are off (npm config get ignore-scripts)",
    },
  );
}

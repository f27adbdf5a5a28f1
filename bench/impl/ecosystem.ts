/** What a file in `ecosystems/` exports, and what these files share. */
import { type Range, satisfies, tryParse } from "@std/semver";
import { BenchError, messageOf } from "../lib/error.ts";
import { outputOf } from "../lib/output_of.ts";

/** A toolchain that implementations may require, with everything the harness must know about its language. */
export interface Ecosystem {
  find: Find;
  /** Tells whether a name in `impl.toml` is a part of the runtime and has its version; by default, none is. */
  isBuiltIn?: (name: string) => boolean;
  /**
   * Checks, after a build, what its command does not show: that a runtime that it installed has the version that was
   * found, or that it checked a lock file that its tool does not know.
   *
   * @throws {BenchError} when it did not.
   */
  confirm?: (version: string, surroundings: Surroundings) => Promise<void>;
  /** What to install if it is missing or too old. */
  install: string;
  /** The toolchain that this one runs on, which is found first. */
  runsOn?: string;
  /** Environment variables that a build may see: locations, not compiler options. */
  keptForBuild?: string[];
  /** Returns environment variables that outrank a person's settings in every build in a folder, such as compiler flags. */
  setForBuild?: (folder: string) => Record<string, string>;
  /** Returns the variables that only `checks` get, in an implementation's folder: where they keep what clones can share. */
  setForChecks?: (folder: string) => Record<string, string>;
  /** Environment variables that the server needs to start. */
  keptForStart?: string[];
  /**
   * Names of the threads that compile while the server runs, as the kernel keeps them: the first 15 characters. Absent
   * if there are none, or if they do more than compile: those of V8 collect garbage, too, and are never quiet under load.
   */
  compilerThreads?: RegExp;
  /** About how many seconds they take until they are quiet, on two processors, to tell how long a measurement may take. */
  secondsToQuiet?: number;
  /**
   * How many times the requests of a warm-up the runtime needs, because it compiles what was called often, and no thread
   * tells when it is done; 1 by default.
   */
  warmUpFactor?: number;
  /**
   * How many threads or processes of a server that is started so compile separately, so that each needs as many requests;
   * 1 by default. Only `start` tells: what a program starts by itself (as with `node:cluster`) shares the requests of one.
   */
  threadsToWarm?: (start: readonly string[]) => number;
  lockFile?: LockFile;
  /**
   * Returns what is deployed together with a file that the build made and `start` names, as paths of files and folders,
   * whether or not they exist; nothing by default.
   */
  deployedWith?: (path: string) => string[];
  /** Commands that check format and style, run in the implementation's folder. */
  checks?: string[][];
  /** Commands that repair what they can of what `checks` find, to be run in the same folder. */
  repairs?: string[][];
  /**
   * The release that CI installs for a range, if the runner's image has none; undefined if the range has no lower
   * bound.
   */
  ciRelease?: (range: string) => string | undefined;
  /**
   * Patterns for the package's own name, by file name, so that a copy can be renamed; with what precedes and follows
   * it.
   */
  ownNames?: Record<string, (id: string) => RegExp>;
  /** Its name for Dependabot; absent if Dependabot does not support it. */
  dependabot?: string;
}

/**
 * Of V8, which optimises a function when it has been called often enough, on threads that collect garbage, too. After
 * 20,000 requests, Deno's ratio to the control still rose by 6 % from one load of a round to the next; after four times
 * as many, it rose no more.
 */
export const warmUpFactorOfV8 = 4;

export interface LockFile {
  name: string;
  /** Returns the version of each package that the text names. */
  read: (text: string) => Map<string, string>;
}

/** Looks for a toolchain in a range of versions. */
export type Find = (range: Range, surroundings: Surroundings) => Promise<Found>;

export interface Surroundings {
  /** The implementation's folder. */
  folder: string;
  /** The environment of a build, as far as it is known before this toolchain. */
  env: Record<string, string>;
}

/**
 * One toolchain on this machine: folders to put first on PATH, those that the build makes and only the server needs
 * (`startPath`), and variables to set. If it is missing or too old: what was found, for the error, and what a program
 * said of that. Where installing the toolchain would not help: what should be, if not a version in the range, and what to
 * do.
 */
export type Found =
  | {
    version: string;
    path?: string[];
    startPath?: string[];
    variables?: Record<string, string>;
  }
  | { version: undefined; whatIs: string; said?: string; should?: string; remedy?: string };

/**
 * Returns a search that asks a program for its version, in the implementation's folder, because files there may
 * select the release: `go` fetches the one that the module names, rustup the one in rust-toolchain.toml.
 */
export function ask(command: [string, ...string[]], pattern: RegExp): Find {
  return async (range, { folder, env }) => {
    let said: Awaited<ReturnType<typeof outputOf>>;
    try {
      said = await outputOf(command, { cwd: folder, env, clearEnv: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) {
        return { version: undefined, whatIs: "it was not found" };
      }
      throw new BenchError(`Cannot run "${command[0]}": ${messageOf(error)}`, { cause: error });
    }
    const { stdout, stderr } = said;
    const version = (pattern.exec(stdout) ?? pattern.exec(stderr))?.[1];
    if (version === undefined) {
      const whatIs = `\`${command.join(" ")}\` names no version`;
      return { version: undefined, whatIs, said: (stdout + stderr).trim() };
    }
    const parsed = tryParse(version);
    if (parsed !== undefined && satisfies(parsed, range)) return { version };
    const whatIs = `its version is ${version}`;
    if (parsed !== undefined) return { version: undefined, whatIs };
    return {
      version: undefined,
      whatIs,
      should: "three numbers",
      remedy: "Complete it in its file in bench/impl/ecosystems/.",
    };
  };
}

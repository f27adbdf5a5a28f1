/** What a file of `ecosystems/` says of its language, and what such files share. */
import { parse, type Range, satisfies } from "@std/semver";
import { BenchError, messageOf } from "../lib/error.ts";

/** A toolchain that implementations may require, with all that the harness must know of its language. */
export interface Ecosystem {
  find: Find;
  /** What to install where it is missing or too old. */
  install: string;
  /** The toolchain that this one runs on, and which is found before it. */
  runsOn?: string;
  /** Variables of a person's shell that a build may see: where things are, not how to compile them. */
  keptForBuild?: string[];
  /** Variables of a person's shell that the server needs to start. */
  keptForStart?: string[];
  lockFile?: LockFile;
  /** Commands that check format and style, run in the implementation's folder. */
  checks?: string[][];
  /** The release that CI sets up for a range, where the runner's image has none; undefined where the range has no lowest. */
  ciRelease?: (range: string) => string | undefined;
  /** How files say the name of the package, for a copy to get its own: by file name, with what stands before and after. */
  ownNames?: Record<string, (id: string) => RegExp>;
  /** How Dependabot calls it; absent where it does not know it. */
  dependabot?: string;
}

export interface LockFile {
  name: string;
  /** Returns the version of each package that the text names. */
  read: (text: string) => Map<string, string>;
  /** Tells whether a package belongs to the toolchain and has its version; none does where this is absent. */
  isBuiltIn?: (packageName: string) => boolean;
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
 * One toolchain as it is on this machine: folders to put first on PATH, and variables to set. Where it will not do:
 * what is, in the words of an error, and what the program itself said.
 */
export type Found =
  | { version: string; path?: string[]; variables?: Record<string, string> }
  | { version: undefined; whatIs: string; said?: string };

/**
 * Makes a search that asks a program for its version. It is asked in the implementation's folder, because what lies
 * there may decide: `go` fetches the release that the module names, rustup that of rust-toolchain.toml.
 */
export function ask([program, ...args]: [string, ...string[]], pattern: RegExp): Find {
  return async (range, { folder, env }) => {
    let output: Deno.CommandOutput;
    try {
      output = await new Deno.Command(program, { args, cwd: folder, env, clearEnv: true }).output();
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) {
        return { version: undefined, whatIs: "it was not found" };
      }
      throw new BenchError(`Cannot run "${program}": ${messageOf(error)}`, { cause: error });
    }
    const decoder = new TextDecoder();
    const stdout = decoder.decode(output.stdout);
    const version = pattern.exec(stdout)?.[1];
    if (version === undefined) {
      const whatIs = `\`${[program, ...args].join(" ")}\` names no version`;
      return { version: undefined, whatIs, said: (stdout + decoder.decode(output.stderr)).trim() };
    }
    if (satisfies(parse(version), range)) return { version };
    return { version: undefined, whatIs: `its version is ${version}` };
  };
}

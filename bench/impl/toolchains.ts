/**
 * The toolchains that implementations may require: where each is, which version it has, and what it adds
 * to the environment of a build and of a running server.
 */
import { dirname, join } from "@std/path";
import { parse, parseRange, type Range, satisfies } from "@std/semver";
import { type ToolchainName, toolchainNames } from "./ecosystems/names.ts";
import type { Impl } from "./impl.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import { findJdk, javaPlaces } from "./java_homes.ts";

/** What was found for one implementation: versions by toolchain, and what they add to an environment. */
export interface Toolchain {
  versions: Partial<Record<ToolchainName, string>>;
  /** The folders to put first on PATH. */
  path: string[];
  variables: Record<string, string>;
}

/**
 * One toolchain as it is on this machine. Where it will not do: what is, in the words of an error, and what
 * the program itself said.
 */
type Found =
  | { version: string; path?: string[]; variables?: Record<string, string> }
  | { version: undefined; whatIs: string; said?: string };

/** Where a toolchain is looked for: in an implementation's folder, with those that were found before. */
interface Surroundings {
  folder: string;
  toolchain: Toolchain;
}

type Find = (range: Range, surroundings: Surroundings) => Promise<Found>;

const finders: Record<ToolchainName, { find: Find; install: string }> = {
  deno: {
    // The harness runs on the pinned Deno; the implementation gets the same.
    find: ask([Deno.execPath(), "--version"], /^deno (\d+\.\d+\.\d+)/),
    install: "Deno comes with the harness: change the version in bench/deno.sh",
  },
  rust: {
    find: ask(["rustc", "--version"], /^rustc (\d+\.\d+\.\d+)/),
    install: "Install Rust with rustup (https://rustup.rs), or run `rustup update stable`",
  },
  go: {
    find: ask(["go", "version"], /^go version go(\d+\.\d+\.\d+)/),
    install: "Install Go (https://go.dev/dl, or the package of your system); " +
      "from 1.21 on, `go env -w GOTOOLCHAIN=auto` lets it fetch the release that go.mod names",
  },
  java: {
    find: findJava,
    install:
      "Install a JDK of that version (https://adoptium.net, or the package of your system); " +
      "it is found by JAVA_HOME, on PATH, by SDKMAN and where systems put it",
  },
  maven: {
    find: ask(["mvn", "--version"], /Apache Maven (\d+\.\d+\.\d+)/),
    install: "Install Maven (https://maven.apache.org, or the package of your system)",
  },
};

/**
 * Finds each toolchain that an implementation requires.
 *
 * @throws {BenchError} naming what was found and what to install, when one is missing or too old.
 */
export async function findToolchain(impl: Impl): Promise<Toolchain> {
  const toolchain: Toolchain = { versions: {}, path: [dirname(Deno.execPath())], variables: {} };
  for (const name of toolchainNames) {
    const range = impl.manifest.requires[name];
    if (range === undefined) continue;
    const { find, install } = finders[name];
    const found = await find(parseRange(range), { folder: impl.folder, toolchain });
    if (found.version === undefined) {
      const { whatIs, said } = found;
      throw new BenchError(
        `Cannot use toolchain "${name}" for "${impl.id}": ${whatIs}, expected ${range}`,
        { help: said ? `${said}\n${install}` : install },
      );
    }
    toolchain.versions[name] = found.version;
    toolchain.path.unshift(...found.path ?? []);
    Object.assign(toolchain.variables, found.variables);
  }
  return toolchain;
}

/**
 * Makes a search that asks a program for its version. It is asked in the implementation's folder, because what lies
 * there may decide: `go` fetches the release that go.mod names, rustup the one of rust-toolchain.toml.
 */
function ask([program, ...args]: [string, ...string[]], pattern: RegExp): Find {
  return async (range, { folder, toolchain }) => {
    const env = buildEnvironment(toolchain);
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

async function findJava(range: Range): Promise<Found> {
  const { jdk, seen } = await findJdk(range, javaPlaces());
  if (jdk !== undefined) {
    const { home, version } = jdk;
    return { version, path: [join(home, "bin")], variables: { JAVA_HOME: home } };
  }
  if (seen.length === 0) return { version: undefined, whatIs: "it was not found" };
  const each = seen.map(({ home, version, isJdk }) =>
    `${version} in ${home}${isJdk ? "" : " (no compiler)"}`
  );
  return { version: undefined, whatIs: `there is ${each.join(", ")}` };
}

/** What a build may know of a person's shell: where things are, not how to compile them. */
const keptForBuild = [
  ...["HOME", "LANG", "TMPDIR", "DENO_DIR", "CARGO_HOME", "RUSTUP_HOME", "GOPATH", "GOPROXY"],
  "XDG_CACHE_HOME",
  ...["http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "DENO_CERT", "DENO_TLS_CA_STORE"],
];
const keptForStart = ["HOME", "LANG", "TMPDIR", "DENO_DIR"];

/**
 * Returns the whole environment of a build: with a person's compiler flags or target folder, the same commit
 * would make another program.
 */
export function buildEnvironment(toolchain: Toolchain): Record<string, string> {
  return environment(keptForBuild, toolchain);
}

/**
 * Returns the whole environment that a server starts with, before the contract's variables: nothing that
 * a person's shell may set (thread counts, log levels, runtime options) reaches a measured process.
 */
export function startEnvironment(toolchain: Toolchain): Record<string, string> {
  return environment(keptForStart, toolchain);
}

function environment(names: string[], { path, variables }: Toolchain): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of names) {
    const value = Deno.env.get(name);
    if (value !== undefined) kept[name] = value;
  }
  const PATH = [...path, Deno.env.get("PATH") ?? ""].join(":");
  return { ...kept, ...variables, PATH };
}

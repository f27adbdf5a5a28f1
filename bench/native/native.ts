/**
 * The compiled helpers of `native/`, built into the cache: the null server, the control and the startup
 * poller. The two servers start like any implementation. The launcher, the upstream and the load generator of bursts
 * are built by themselves.
 */
import { join } from "@std/path";
import { parse as parseToml } from "@std/toml";
import { z } from "zod";
import { scenarioIds } from "../scenario/ids.ts";
import type { Need } from "../scenario/words.ts";
import { cacheFolder, keepFolder, type MakeOptions } from "../lib/cache.ts";
import type { Impl, Manifest } from "../impl/impl.ts";
import { sha256 } from "../lib/digest.ts";
import { runOrThrow } from "../lib/process.ts";
import { readRustRelease } from "../lib/rust_release.ts";
import { ecosystem as rust } from "../impl/ecosystems/rust.ts";
import { buildEnvironment, noToolchain } from "../impl/toolchains.ts";
import { controlId, nullServerId, ownServerIds } from "../results/environment_schema.ts";

/** Paths of the compiled helpers, and the version of the control, which stands in every result. */
export interface Native {
  nullServer: string;
  control: string;
  startupPoller: string;
  controlVersion: string;
}

const source = import.meta.dirname!;
const programs = ["null-server", "control", "startup-poller"] as const;
const buildCommand = ["cargo", "build", "--locked", "--release"];

/** The helpers that verification or bursts need; each is built by itself, within seconds. */
const loneHelpers = {
  burst: "Building the load generator of bursts, once: some ten seconds",
  launcher: "Building the launcher of servers, once: a few seconds",
  upstream: "Building the upstream, once: some ten seconds",
};

/** The name of such a helper. */
export type LoneHelper = keyof typeof loneHelpers;

/** Their names. */
export const loneHelperNames = Object.keys(loneHelpers) as LoneHelper[];

/** Returns the helpers in the cache; builds them where they are not there. */
export async function keepNative(options: MakeOptions): Promise<Native> {
  const folder = await keepFolder(
    cacheFolder(options.env),
    await nativeFolderName(options.env),
    (staging) => {
      options.report.line(`Building ${programs.join(", ")}, once: about a minute on two cores`);
      return build(buildCommand, programs, staging, options);
    },
    options,
  );
  return {
    nullServer: join(folder, "null-server"),
    control: join(folder, "control"),
    startupPoller: join(folder, "startup-poller"),
    controlVersion: await readControlVersion(),
  };
}

/** Returns the path of one of the helpers that are built by themselves; builds it if it is not in the cache. */
export async function keepLoneHelper(name: LoneHelper, options: MakeOptions): Promise<string> {
  const folder = await keepFolder(
    cacheFolder(options.env),
    await loneHelperFolderName(name, options.env),
    (staging) => {
      options.report.line(loneHelpers[name]);
      return build([...buildCommand, "--package", name], [name], staging, options);
    },
    options,
  );
  return join(folder, name);
}

/** Returns the name of the helpers' folder in the cache: a hash of all that the build depends on. */
export async function nativeFolderName(env: Record<string, string>): Promise<string> {
  const paths = (await sourceFiles()).filter((path) =>
    !loneHelperNames.some((name) => path.startsWith(`${name}/`))
  );
  return `native-${await hashOf(buildCommand, paths, env)}`;
}

/** The same for a helper that is built by itself. */
export async function loneHelperFolderName(
  name: LoneHelper,
  env: Record<string, string>,
): Promise<string> {
  const paths = ["Cargo.lock", "Cargo.toml", ...await sourceFiles(name)];
  return `${name}-${await hashOf([...buildCommand, "--package", name], paths, env)}`;
}

/**
 * Returns cargo's settings for a helper, or a program of tests: it shares compiled dependencies with the others and with
 * other clones, but not its own crates. Cargo identifies a package by its name, version
 * and path within the workspace, and would take those of a namesake in another folder for its own; but the path of a
 * wrapper for rustc counts, too: here, a link to `env`, which runs its arguments.
 *
 * @param folder For the link; what is built in another one shares no crate of its own.
 * @see https://doc.rust-lang.org/cargo/reference/config.html#buildrustc-workspace-wrapper
 */
export async function shareCrates(
  folder: string,
  env: Record<string, string>,
): Promise<Record<string, string>> {
  const wrapper = join(folder, "env");
  await Deno.symlink("/usr/bin/env", wrapper).catch((error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  });
  // Another lock file has other crates: those of a while ago then go.
  const name = `rust-build-${await hashOf([], ["Cargo.lock", "Cargo.toml"], env)}`;
  const crates = await keepFolder(cacheFolder(env), name, async (staging) => {
    const folder = join(staging, "crates");
    await Deno.mkdir(folder);
    return folder;
  });
  return { CARGO_BUILD_BUILD_DIR: crates, RUSTC_WORKSPACE_WRAPPER: wrapper };
}

async function hashOf(
  command: string[],
  paths: string[],
  env: Record<string, string>,
): Promise<string> {
  const texts = [...command, JSON.stringify(rust.setForBuild?.("")), await readRustRelease(env)];
  for (const path of paths) texts.push(path, await Deno.readTextFile(join(source, path)));
  return (await sha256(texts.join("\0"))).slice(0, 12);
}

/** Tells whether an implementation is the control or the null server: what goes wrong with it is the harness's failure. */
export function isOurs({ id }: Pick<Impl, "id">): boolean {
  return ownServerIds.includes(id);
}

/** Returns the control as an implementation; it is not built by its manifest. */
export function controlImpl({ control }: Native): Impl {
  return helperImpl(controlId, control, {
    scenarios: scenarioIds,
    name: "Control",
    framework: "hyper",
    driver: "mysql_async",
    jwt: "jsonwebtoken",
    client: "hyper-util",
    website: "https://hyper.rs",
  }, ["database", "tokens", "upstream"]);
}

/** Returns the null server as an implementation, which meets no contract. */
export function nullServerImpl({ nullServer }: Native): Impl {
  return helperImpl(nullServerId, nullServer, {
    scenarios: [],
    name: "Null server",
    framework: "tokio",
    website: "https://tokio.rs",
  }, []);
}

function helperImpl(
  id: string,
  path: string,
  facts: Pick<
    Manifest,
    "scenarios" | "name" | "framework" | "driver" | "jwt" | "client" | "website"
  >,
  needs: Need[],
): Impl {
  return {
    id,
    folder: join(source, id),
    manifest: {
      ...facts,
      language: "Rust",
      runtime: "native",
      class: "standard",
      build: buildCommand,
      start: [path],
      requires: {},
    },
    needs,
  };
}

/** Returns the paths of the files of `native/`, in an order that every machine has. */
async function sourceFiles(folder = ""): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(source, folder))) {
    if (name === "target" || name.startsWith(".") || name.endsWith(".ts")) continue;
    const path = folder === "" ? name : `${folder}/${name}`;
    paths.push(...isDirectory ? await sourceFiles(path) : [path]);
  }
  return paths.sort();
}

const cargoManifestSchema = z.object({ package: z.object({ version: z.string() }) });

async function readControlVersion(): Promise<string> {
  const toml = await Deno.readTextFile(join(source, "control", "Cargo.toml"));
  return cargoManifestSchema.parse(parseToml(toml)).package.version;
}

/**
 * Returns the whole environment of a build in Rust below a folder: with a person's compiler flags, the program would be
 * another one.
 */
export function rustEnvironment(
  { PATH = "" }: Record<string, string>,
  folder: string,
): Record<string, string> {
  const { keptForBuild = [], setForBuild } = rust;
  const toolchain = { ...noToolchain, keptForBuild, setForBuild: setForBuild?.(folder) ?? {} };
  return { ...buildEnvironment(toolchain), PATH };
}

async function build(
  command: string[],
  made: readonly string[],
  staging: string,
  { signal, env }: MakeOptions,
): Promise<string> {
  const logPath = join(staging, "build.log");
  const target = join(staging, "target");
  await runOrThrow('Cannot build "bench/native"', [...command, "--target-dir", target], {
    cwd: source,
    env: { ...rustEnvironment(env, staging), ...await shareCrates(staging, env) },
    clearEnv: true,
    logPath,
    signal,
  });
  const folder = join(staging, "made");
  await Deno.mkdir(folder);
  for (const program of made) {
    await Deno.rename(join(target, "release", program), join(folder, program));
  }
  return folder;
}

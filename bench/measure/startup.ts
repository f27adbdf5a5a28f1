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
import { time } from "../tools/hyperfine.ts";
import { startBar } from "./progress.ts";
import type { Report } from "../lib/report.ts";
import type { Probe } from "../scenario/scenario.ts";
import type { Startup } from "../results/protocols_schema.ts";
import { type Startable, StartError } from "../impl/start.ts";
import { startEnvironment } from "../impl/toolchains.ts";
import type { Tool } from "../tools/tool.ts";

/** Options for {@linkcode timeStarts}. */
export interface TimeStartsOptions {
  runs: number;
  hyperfine: Tool;
  startupPollerPath: string;
  probe: Probe;
  /** Returns what a server is told in its environment, but for the port, which is another one in each run. */
  environment: (impl: Impl) => Record<string, string>;
  /** Where logs go; holds one timing at a time. */
  folder: string;
  signal: AbortSignal;
  /** How long the first right answer may take, in whole seconds; 60 unless told. */
  timeoutSeconds?: number;
}

/** The starts of one server, in order. */
export interface TimedStarts {
  /** By hyperfine: from before the poller begins until it has ended with the first right answer. */
  seconds: number[];
  /** Of all processes of the server, right after that answer. */
  memory: z.infer<typeof memorySchema>[];
}

/**
 * Into so many blocks the starts of each side are divided, each one call of hyperfine, in the order A B B A A B B A:
 * a machine that gets steadily faster or slower meanwhile meets both sides alike. One call for all starts of a side
 * would lay a minute of such drift between a server that takes seconds and the control.
 */
const mostBlocks = 4;

/**
 * Starts subject and control `runs` times each, in blocks that take turns.
 *
 * @throws {StartError} when the subject gives no right answer in time.
 */
export async function measureStartup(
  subject: Startable,
  control: Startable,
  options: TimeStartsOptions & { report: Report },
): Promise<Startup> {
  const { runs, report, hyperfine } = options;
  const sides = { subject, control };
  const starts: Record<keyof typeof sides, TimedStarts> = {
    subject: { seconds: [], memory: [] },
    control: { seconds: [], memory: [] },
  };
  const blocks = Math.min(runs, mostBlocks);
  using bar = startBar(report);
  for (let block = 0; block < blocks; block++) {
    const title = `startup of ${subject.impl.id} and the control, block ${block + 1} of ${blocks}`;
    bar.step(title, blocks - block - 1);
    const runsOfBlock = Math.ceil((runs - block) / blocks);
    const order = ["control", "subject"] as const;
    for (const side of block % 2 === 0 ? order : order.toReversed()) {
      const timed = timeStarts(sides[side], { ...options, runs: runsOfBlock });
      const { seconds, memory } = await (side === "control" ? orOurs(timed) : timed);
      starts[side].seconds.push(...seconds);
      starts[side].memory.push(...memory);
    }
  }
  bar.end();
  const [memorySource, ...others] = new Set(
    [...starts.subject.memory, ...starts.control.memory].map((memory) => memory.memorySource),
  );
  if (memorySource === undefined || others.length > 0) {
    throw new RunBroken(
      `Cannot compare the memory of "${subject.impl.id}" and of the control: it was read in ` +
        `${others.length + 1} ways, expected one`,
    );
  }
  const columns = ({ seconds, memory }: TimedStarts) => ({
    seconds,
    memoryBytes: memory.map(({ memoryBytes }) => memoryBytes),
  });
  return {
    runs,
    tool: `hyperfine ${hyperfine.version}`,
    memorySource,
    subject: columns(starts.subject),
    control: columns(starts.control),
    artefactBytes: await artefactBytes(subject.impl),
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

const memorySchema = z.strictObject({
  memoryBytes: z.int().positive(),
  memorySource: z.enum(["pss", "rss"]),
});

/**
 * Starts a server some times; each time, waits for its first right answer, reads its memory and kills it.
 *
 * @throws {StartError} with the poller's reason below the end of the server's log, when there is no right answer.
 */
export async function timeStarts(
  { impl, toolchain }: Startable,
  options: TimeStartsOptions,
): Promise<TimedStarts> {
  const { hyperfine, startupPollerPath: poller, probe, folder, timeoutSeconds = 60 } = options;
  const bodyPath = join(folder, "startup-body");
  const recordPath = join(folder, "startup-record");
  await Deno.writeFile(bodyPath, probe.body);
  await Deno.writeTextFile(recordPath, "");
  const start = [poller, "start", probe.path, probe.header, bodyPath, `${timeoutSeconds}`];
  try {
    const seconds = await time([...start, ...impl.manifest.start], {
      hyperfinePath: hyperfine.path,
      runs: options.runs,
      conclude: [poller, "stop", recordPath],
      cwd: impl.folder,
      env: { ...startEnvironment(toolchain), ...options.environment(impl) },
      folder,
      signal: options.signal,
    });
    const lines = (await Deno.readTextFile(recordPath)).trimEnd().split("\n");
    return { seconds, memory: lines.map((line) => memorySchema.parse(JSON.parse(line))) };
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    throw new StartError(`Cannot time the start of "${impl.id}": it failed, expected an answer`, {
      help: error.help,
      cause: error,
    });
  } finally {
    for (const path of [bodyPath, recordPath]) await Deno.remove(path);
  }
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

/**
 * Startup: how long does a cold process take to its first correct answer, and how much memory does it then use? Takes
 * a subject and the control; hyperfine times the startup poller, in blocks of a start of each; returns every time and
 * memory, and the ratio of the times. The process is cold, its files are in the page cache, because it has been started
 * before. Each start is asked for something else, whose right answer no earlier start can have known where the scenario
 * allows that: the witness of a start is the bytes of this one answer.
 */
import { join, resolve } from "@std/path";
import { z } from "zod";
import { exists } from "../lib/exists.ts";
import { requiredEcosystems } from "../impl/ecosystems.ts";
import { type Impl, startWords } from "../impl/impl.ts";
import { BenchError, RunBroken } from "../lib/error.ts";
import { shuffle } from "../lib/random.ts";
import { sum } from "../lib/sum.ts";
import { time } from "../tools/hyperfine.ts";
import { startBar } from "./progress.ts";
import { ours } from "./ground.ts";
import type { Report } from "../lib/report.ts";
import type { Probe } from "../scenario/scenario.ts";
import type { Startup, StartupSide } from "../results/protocols_schema.ts";
import { type Startable, StartError } from "../impl/start.ts";
import { startEnvironment } from "../impl/toolchains.ts";
import { startupRatio } from "../statistics/mod.ts";
import type { Tool } from "../tools/tool.ts";

/** Options for {@linkcode timeStart}. */
export interface TimeStartOptions {
  hyperfine: Tool;
  startupPollerPath: string;
  /** Returns what a server is asked for, and what is right. Called before each start, whose time does not include it. */
  probe: () => Promise<Probe>;
  /** Returns the server's environment without the port, which differs from run to run. */
  environment: (impl: Impl) => Record<string, string>;
  /** Path of the launcher, so that nothing of a start is left for the next one; absent where the system has no use for it. */
  launcher?: string;
  /** Holds the right answer while a server starts; one start at a time. */
  folder: string;
  /** Where the server's log goes, which it has open: another folder. */
  logFolder: string;
  signal: AbortSignal;
  /** How long the first correct answer may take, in whole seconds; 60 by default. */
  timeoutSeconds?: number;
}

/** One start of a server. */
export interface TimedStart extends z.infer<typeof memorySchema> {
  /** By hyperfine: from the start of the poller to its end with the first correct answer. */
  seconds: number;
}

/**
 * Starts subject and control once in each block, in random order: then blocks are independent witnesses, however the machine
 * drifts. (In a fixed order A B B A, neighbouring blocks have starts of one side beside each other, and their ratios are
 * alike.) A block of one start each, and one call of hyperfine for each start,
 * make as many witnesses of the ratio as there are starts: see {@linkcode startupRatio}. Both may be the same program.
 *
 * @throws {StartError} when the subject gives no correct answer in time, or its memory is read in another way than the
 * control's; {@linkcode RunBroken} where that of the control is read in several.
 */
export async function measureStartup(
  subject: Startable,
  control: Startable,
  options: TimeStartOptions & { blocks: number; random: () => number; report: Report },
): Promise<Startup> {
  const { blocks: count, random, report, hyperfine } = options;
  const sides = { subject, control };
  const starts: Record<keyof typeof sides, TimedStart[]> = { subject: [], control: [] };
  const title = `startup of ${subject.impl.id} and ${control.impl.id}`;
  using bar = startBar(report);
  for (let block = 0; block < count; block++) {
    bar.step(`${title}, block ${block + 1} of ${count}`, count - block - 1);
    for (const side of shuffle(["control", "subject"] as const, random)) {
      const timed = timeStart(sides[side], options);
      starts[side].push(await (side === "control" ? ours(timed) : timed));
    }
  }
  bar.end();
  const sourcesOf = (timed: TimedStart[]) => new Set(timed.map(({ memorySource }) => memorySource));
  const ofControl = sourcesOf(starts.control);
  const [memorySource, ...others] = ofControl.union(sourcesOf(starts.subject));
  if (memorySource === undefined || others.length > 0) {
    // Where that of the control is always read in the same way, the subject differs.
    const Failure = ofControl.size === 1 ? StartError : RunBroken;
    throw new Failure(
      `Cannot compare the memory of "${subject.impl.id}" and "${control.impl.id}": it was read in ` +
        `${others.length + 1} ways, expected one`,
    );
  }
  const blocks = starts.subject.map((timed, block) => ({
    subject: columnsOf(timed),
    control: columnsOf(starts.control[block]!),
  }));
  return {
    tool: `hyperfine ${hyperfine.version}`,
    memorySource,
    blocks,
    ratio: startupRatio(blocks.map((block) => ({
      subject: block.subject.seconds,
      control: block.control.seconds,
    }))),
    artefactBytes: await artefactBytes(subject.impl),
  };
}

function columnsOf({ seconds, memoryBytes }: TimedStart): StartupSide {
  return { seconds: [seconds], memoryBytes: [memoryBytes] };
}

/** Of all processes of a server, right after its first correct answer. */
const memorySchema = z.strictObject({
  memoryBytes: z.int().positive(),
  memorySource: z.enum(["pss", "rss"]),
});

/**
 * Has a new request and its right answer made, starts a server, waits until it gives that answer to the byte, reads its
 * memory and kills it.
 *
 * @throws {StartError} with the end of the server's log and the poller's reason, when there is no correct answer.
 */
export async function timeStart(
  { impl, toolchain }: Startable,
  options: TimeStartOptions,
): Promise<TimedStart> {
  const { hyperfine, startupPollerPath: poller, folder, logFolder, timeoutSeconds = 60 } = options;
  const { path, header, body } = await options.probe();
  const bodyPath = join(folder, "startup-body");
  const recordPath = join(folder, "startup-record");
  await Deno.writeFile(bodyPath, body);
  await Deno.writeTextFile(recordPath, "");
  const start = [poller, "start", path, header, bodyPath, `${timeoutSeconds}`];
  try {
    const seconds = await time([...start, ...impl.manifest.start], {
      hyperfinePath: hyperfine.path,
      conclude: [poller, "stop", recordPath],
      cwd: impl.folder,
      env: { ...startEnvironment(toolchain), ...options.environment(impl) },
      launcher: options.launcher,
      logPath: join(logFolder, "startup.log"),
      folder,
      signal: options.signal,
    });
    return { seconds, ...memorySchema.parse(JSON.parse(await Deno.readTextFile(recordPath))) };
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    throw new StartError(`Cannot time the start of "${impl.id}": it failed, expected an answer`, {
      help: error.help,
      cause: error,
    });
  } finally {
    await Deno.remove(recordPath);
    // The poller has removed it, if it began.
    await Deno.remove(bodyPath).catch(() => {});
  }
}

/**
 * Returns the size of the deployable artefact: the files that `start` names, alone or as an option's value
 * (`-XX:AOTCache=<file>`), and git ignores, because these were built; and what its ecosystems say is deployed with them,
 * such as a jar's libraries. Undefined where a runtime runs the sources.
 */
export async function artefactBytes({ folder, manifest }: Impl): Promise<number | undefined> {
  const ecosystems = await requiredEcosystems(manifest.requires);
  const root = await Deno.realPath(folder);
  const sizes = new Map<string, number>();
  for (const word of startWords(manifest)) {
    const path = resolve(folder, word);
    if (!await exists(path) || !await isMade(path, folder)) continue;
    const parts = ecosystems.flatMap(([, { deployedWith }]) => deployedWith?.(path) ?? []);
    for (const part of [path, ...parts]) await addSizes(part, root, sizes);
  }
  return sizes.size === 0 ? undefined : sum([...sizes.values()]);
}

async function isMade(path: string, folder: string): Promise<boolean> {
  const args = ["-C", folder, "check-ignore", "--quiet", "--", path];
  const { code } = await new Deno.Command("git", { args, stderr: "null" }).output();
  return code === 0;
}

/**
 * Adds the size of a file, or of all below a folder, by its real path, so that each counts once. What a link leads to
 * outside `root` is the machine's, as the interpreter of a virtual environment; what does not exist counts nothing.
 */
async function addSizes(path: string, root: string, sizes: Map<string, number>): Promise<void> {
  let real: string;
  try {
    real = await Deno.realPath(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  if (!real.startsWith(`${root}/`) || sizes.has(real)) return;
  const { isDirectory, size } = await Deno.stat(real);
  sizes.set(real, isDirectory ? 0 : size);
  if (!isDirectory) return;
  for await (const { name } of Deno.readDir(real)) await addSizes(join(real, name), root, sizes);
}

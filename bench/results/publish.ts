/**
 * Publish: a local run or noise measurement becomes part of the site. Takes its id; checks every file, and copies all
 * of them, byte for byte, or none. Published files never change.
 */
import { join } from "@std/path";
import { exists } from "../lib/exists.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import { noiseFileSchema } from "./files_schema.ts";
import { partsDone } from "./parts_done.ts";
import { profileOfNoise } from "./profiles.ts";
import { fileNameOf, parseFile, readRun, resultPath } from "./store.ts";
import { writeAtomically } from "../lib/write_atomically.ts";

/** Options for {@linkcode publishRun} and {@linkcode publishNoise}. */
export interface PublishOptions {
  /** The folder of local runs, or of local noise measurements. */
  localFolder: string;
  /** The folder of published ones. */
  publishedFolder: string;
}

/**
 * Publishes a run, and returns its new folder.
 *
 * @throws {BenchError} when there is no such run, it is published already, is incomplete, was measured with uncommitted
 * changes, as the base of a change or with the profile smoke, does not parse, or cannot be copied.
 */
export async function publishRun(runId: string, options: PublishOptions): Promise<string> {
  const target = join(options.publishedFolder, runId);
  if (await exists(target)) {
    throw new BenchError(`Cannot publish "${runId}": it is published already, in "${target}"`, {
      help: "Published runs never change. Measure again to publish a new run.",
    });
  }
  const results = await readRun(options.localFolder, runId);
  const problems = results.flatMap((result) => {
    const { impl, status, plan, provenance } = result;
    const { done, planned, name } = partsDone(result);
    return [
      ...(status === "incomplete"
        ? [`"${impl.id}" is incomplete, with ${done} of ${planned} ${name}`]
        : []),
      ...(provenance.dirty ? [`"${impl.id}" was measured with uncommitted changes`] : []),
      ...(provenance.implCommit === undefined
        ? []
        : [`"${impl.id}" was measured as the base of a change`]),
      // For tests: figures of so few requests would stay in every history.
      ...(plan.profile === "smoke"
        ? [`"${impl.id}" was measured with the profile smoke, expected quick or full`]
        : []),
    ];
  });
  if (problems.length > 0) {
    const isOnlyIncomplete = results.every(({ plan, provenance: { dirty, implCommit } }) =>
      plan.profile !== "smoke" && !dirty && implCommit === undefined
    );
    throw new BenchError(
      problems.map((problem) => `Cannot publish "${runId}": ${problem}`).join("\n"),
      {
        // To resume changes neither the profile nor the sources.
        help: isOnlyIncomplete
          ? `Finish it with \`just bench --resume ${runId}\`.`
          : "Measure again with everything committed, with the profile quick or full, and without --base.",
      },
    );
  }
  const staging = join(options.publishedFolder, `.${runId}.${crypto.randomUUID()}.tmp`);
  try {
    await Deno.mkdir(staging, { recursive: true });
    for (const result of results) {
      const source = resultPath(options.localFolder, result);
      await Deno.copyFile(source, join(staging, fileNameOf(result)));
    }
    await Deno.rename(staging, target);
  } catch (cause) {
    await Deno.remove(staging, { recursive: true }).catch(() => {});
    throw new BenchError(
      `Cannot publish "${runId}": ${messageOf(cause)}`,
      { help: "Nothing was published.", cause },
    );
  }
  return target;
}

/**
 * Publishes a noise measurement, and returns its new path.
 *
 * @throws {BenchError} when it is published already, lacks comparisons, was measured with uncommitted changes or with the
 * profile smoke, or does not parse.
 */
export async function publishNoise(id: string, options: PublishOptions): Promise<string> {
  const source = join(options.localFolder, `${id}.json`);
  const target = join(options.publishedFolder, `${id}.json`);
  const text = await Deno.readTextFile(source);
  const { dirty, plan, comparisons, plannedComparisons } = parseFile(
    noiseFileSchema,
    text,
    source,
  );
  const { length: done } = comparisons;
  if (await exists(target)) {
    throw new BenchError(`Cannot publish "${id}": it is published already, in "${target}"`, {
      help: "Published measurements never change. Measure again to publish a new one.",
    });
  }
  // Whoever sees the figures so far must not decide that they are enough.
  if (plannedComparisons !== undefined && done < plannedComparisons) {
    throw new BenchError(
      `Cannot publish "${id}": it has ${done} of ${plannedComparisons} comparisons, expected all`,
      { help: `Continue with \`just noise --resume ${id}\`` },
    );
  }
  if (profileOfNoise(plan) === "smoke") {
    throw new BenchError(
      `Cannot publish "${id}": it was measured with the profile smoke, expected quick or full`,
      { help: "Measure again with the profile quick or full." },
    );
  }
  if (dirty) {
    throw new BenchError(`Cannot publish "${id}": it was measured with uncommitted changes`, {
      help: "Commit and measure again.",
    });
  }
  await writeAtomically(target, text);
  return target;
}

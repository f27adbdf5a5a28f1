/**
 * The outcome of a level. A level may have been repeated: the last repetition counts. Takes a level, or a result and
 * its connections; returns the figures, or why there are none.
 */
import type { Known } from "./known.ts";
import type { Ceiling, Frame } from "./protocols_schema.ts";
import type {
  Durable,
  Figures,
  Level,
  Observation,
  ReasonCode,
  Repetition,
  Result,
} from "./result_schema.ts";

/** From this share of the null server's goodput, the load generator bounds a level. */
export const generatorBoundShare = 0.7;

/**
 * Tells whether the load generator bounds a goodput, or may do so: it is near the lower end of the interval of the null
 * server's.
 */
export function reachesCeiling(
  perSecond: number,
  { lowPerSecond }: Pick<Ceiling, "lowPerSecond">,
): boolean {
  return perSecond >= generatorBoundShare * lowPerSecond;
}

/** A valid load. */
export interface Outcome {
  figures: Figures;
  observation: Observation;
  /** What bounds it; absent where no ceiling was measured. */
  frame?: Frame;
}

/** Returns the repetition that a level is judged by: the last one. */
export function lastRepetition(level: Level): Repetition {
  return level.repetitions[level.repetitions.length - 1]!;
}

/** Returns why a level is invalid, as clauses; none if it is valid. */
export function invalidReasons(level: Level): string[] {
  const { validity } = lastRepetition(level);
  return validity.valid ? [] : validity.reasons.map(({ message }) => message);
}

/** Tells whether a reason lies with the machine: it says nothing of the implementation. */
export function isOfMachine({ code }: { code: ReasonCode }): boolean {
  return code === "foreign-load" || code === "steal" || code === "swapping";
}

/** Returns what of a level speaks against the implementation, as clauses. */
export function ownReasons(level: Level): string[] {
  const { validity } = lastRepetition(level);
  if (validity.valid) return [];
  return validity.reasons.filter((it) => !isOfMachine(it)).map(({ message }) => message);
}

/** Tells whether a level is valid. */
export function isValid(level: Level): boolean {
  return lastRepetition(level).validity.valid;
}

/** Returns the outcome of a level. */
export function outcomeOf(level: Level): Known<Outcome> {
  const { figures, observation } = lastRepetition(level);
  if (figures === undefined) return { missing: invalidReasons(level).join("; ") };
  if (observation === undefined) return { missing: "the load did not finish" };
  return { value: { figures, observation, frame: level.frame } };
}

/** Returns the outcome of the load with commits on disk. */
export function durableOutcome({ load, missing }: Durable): Known<Outcome> {
  return load === undefined ? { missing: missing! } : outcomeOf(load);
}

/** Returns the outcome of a level of a result. */
export function outcomeAt(result: Result, connections: number): Known<Outcome> {
  const level = levelAt(result, connections);
  return level === undefined ? { missing: whyFailed(result) ?? "not measured" } : outcomeOf(level);
}

/** Returns a level of a result; undefined where it was not measured. */
export function levelAt({ levels }: Result, connections: number): Level | undefined {
  return levels.find((level) => level.connections === connections);
}

/**
 * Tells whether the load generator bounds a level: its goodput, cold and warm, and its ratio then read "at least". A
 * process that warms up for long may reach the ceiling only in the comparison.
 */
export function isGeneratorBound(result: Result, connections: number): boolean {
  return levelAt(result, connections)?.frame?.isGeneratorBound ||
    isWarmBound(result, connections, "subject");
}

/** Tells whether it is known what the load generator can do at a level, also where its load does not count. */
export function hasCeiling(result: Result, connections: number): boolean {
  return levelAt(result, connections)?.frame !== undefined ||
    (result.ceilings ?? []).some((it) => it.connections === connections);
}

/** Tells whether the load generator bounds the warm goodput of one side of the comparison at a level. */
export function isWarmBound(
  { ceilings = [], comparison }: Result,
  connections: number,
  side: "subject" | "reference",
): boolean {
  const ceiling = ceilings.find((it) => it.connections === connections);
  const compared = comparison?.levels.find((it) => it.connections === connections);
  return ceiling !== undefined && compared?.goodputPerSecond !== undefined &&
    reachesCeiling(compared.goodputPerSecond[side], ceiling);
}

/** Returns at which stage a result failed, and why; undefined if it did not. */
export function whyFailed({ failure }: Pick<Result, "failure">): string | undefined {
  return failure && `failed at ${failure.stage}: ${failure.message}`;
}

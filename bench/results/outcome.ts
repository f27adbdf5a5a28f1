/**
 * The outcome of a level. A level may have been repeated: the last repetition counts. Takes a level, or a result and
 * its connections; returns the figures, or why there are none.
 */
import type { Known } from "./known.ts";
import type { Ceiling } from "./protocols_schema.ts";
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

/** Returns what of a level of a result speaks against the implementation, as clauses; none where it was not measured. */
export function ownReasonsAt(result: Result, connections: number): string[] {
  const level = levelAt(result, connections);
  return level === undefined ? [] : ownReasons(level);
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
  return { value: { figures, observation } };
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
  return isColdBound(result, connections) || isWarmBound(result, connections, "subject");
}

/** Tells whether the load generator bounds the cold goodput of a level. */
export function isColdBound(result: Result, connections: number): boolean {
  const level = levelAt(result, connections);
  if (!level?.frame?.isGeneratorBound) return false;
  const [ceiling, { figures }] = [ceilingAt(result, connections), lastRepetition(level)];
  return ceiling === undefined || figures === undefined ||
    reachesCeiling(figures.goodputPerSecond, ceiling);
}

/**
 * Returns what the load generator can do at a level, at least: what the null server shows, or what it got from the
 * implementation or the control, if that is more, because the null server's loads are short. Undefined without a ceiling.
 */
export function ceilingAt(
  { levels, ceilings = [], comparison }: Result,
  connections: number,
): Pick<Ceiling, "goodputPerSecond" | "lowPerSecond"> | undefined {
  const at = (it: { connections: number }) => it.connections === connections;
  const [ceiling, level] = [ceilings.find(at), levels.find(at)];
  if (ceiling === undefined) return undefined;
  const cold = level && lastRepetition(level).figures?.goodputPerSecond;
  const warm = comparison?.levels.find(at)?.goodputPerSecond;
  const delivered = Math.max(cold ?? 0, warm?.subject ?? 0, warm?.reference ?? 0);
  return {
    goodputPerSecond: Math.max(ceiling.goodputPerSecond, delivered),
    lowPerSecond: Math.max(ceiling.lowPerSecond, delivered),
  };
}

/** Tells whether it is known what the load generator can do at a level, also where its load does not count. */
export function hasCeiling(result: Result, connections: number): boolean {
  return levelAt(result, connections)?.frame !== undefined ||
    (result.ceilings ?? []).some((it) => it.connections === connections);
}

/** Tells whether the load generator bounds the warm goodput of one side of the comparison at a level. */
export function isWarmBound(
  result: Result,
  connections: number,
  side: "subject" | "reference",
): boolean {
  const ceiling = ceilingAt(result, connections);
  const compared = result.comparison?.levels.find((it) => it.connections === connections);
  return ceiling !== undefined && compared?.goodputPerSecond !== undefined &&
    reachesCeiling(compared.goodputPerSecond[side], ceiling);
}

/** Returns at which stage a result failed, and why; undefined if it did not. */
export function whyFailed({ failure }: Pick<Result, "failure">): string | undefined {
  return failure && `failed at ${failure.stage}: ${failure.message}`;
}

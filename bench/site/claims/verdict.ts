/** The rules that confirm or refute a claim: by intervals, never by point estimates. */
import { capitalise, list } from "../../results/words.ts";

/** The verdicts on a claim. */
export type ClaimVerdict = "confirmed" | "refuted" | "not decided" | "not yet measurable";

/** A verdict and why it is so, in a sentence. */
export interface Judgement {
  verdict: ClaimVerdict;
  because: string;
}

/** The range of the true ratio. */
export interface Range {
  low: number;
  high: number;
}

/** The claim that the first of two has about this many times the second's goodput. */
export interface AboutClaim {
  about: number;
  /** Names of both. */
  subject: string;
  reference: string;
}

/**
 * Judges "about x": confirmed with the whole range in the band from x / factor to x · factor, refuted with
 * all of it outside.
 */
export function judgeAbout(
  range: Range,
  { about, subject, reference }: AboutClaim,
  factor: number,
): Judgement {
  const band = { low: about / factor, high: about * factor };
  const direction = range.low > 1
    ? `${subject} is faster`
    : range.high < 1
    ? `${reference} is faster`
    : "neither is shown to be faster";
  const judge = (verdict: ClaimVerdict, lies: string, more = `; ${direction}`): Judgement => ({
    verdict,
    because: `The interval (${show(range)}) lies ${lies} the band of ${show(band)}${more}.`,
  });
  if (band.low <= range.low && range.high <= band.high) return judge("confirmed", "within", "");
  if (range.high < band.low) return judge("refuted", "below");
  if (band.high < range.low) return judge("refuted", "above");
  return judge("not decided", "partly in and partly outside");
}

/** Judges "no benefit": refuted with the whole range above the limit, confirmed with all of it below. */
export function judgeNoBenefit(
  range: Range,
  limit: number,
): Judgement {
  const judge = (verdict: ClaimVerdict, lies: string): Judgement => ({
    verdict,
    because: `The interval (${show(range)}) ${lies} ${round(limit)}, from where a benefit counts.`,
  });
  if (range.low > limit) return judge("refuted", "lies above");
  if (range.high < limit) return judge("confirmed", "lies below");
  return judge("not decided", "includes");
}

/** Returns the verdict on a claim from those on its levels, and says which levels have which. */
export function judgeAltogether(
  levels: readonly (Judgement & { connections: number })[],
): Judgement {
  const byVerdict = Map.groupBy(levels, ({ verdict }) => verdict);
  const order = ["refuted", "confirmed", "not decided"] as const;
  const verdict = byVerdict.has("refuted")
    ? "refuted"
    : byVerdict.size === 1 && byVerdict.has("confirmed")
    ? "confirmed"
    : "not decided";
  const [because, ...others] = new Set(levels.map(({ because }) => because));
  if (others.length === 0 && because !== undefined) return { verdict, because };
  const parts = order.flatMap((verdict) => {
    const at = byVerdict.get(verdict)?.map(({ connections }) => connections);
    return at === undefined ? [] : [`${verdict} at ${list(at)} connections`];
  });
  return { verdict, because: `${capitalise(parts.join("; "))}.` };
}

function show({ low, high }: Range): string {
  if (high === Infinity) return low === 0 ? "unbounded" : `at least ${round(low)}`;
  return low === 0 ? `at most ${round(high)}` : `${round(low)}–${round(high)}`;
}

/** Three digits show on which side of a limit a bound is. */
function round(ratio: number): string {
  return String(Number(ratio.toPrecision(3)));
}

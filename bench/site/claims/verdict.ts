/**
 * The rules for claims: by intervals, never by point estimates. An article's ratio was found on another machine, so what
 * is measured here reproduces it or does not. Only a claim that something is nowhere so can be refuted by one machine.
 */
import type { Figures } from "./file.ts";
import { formatInteger } from "../../lib/format_integer.ts";
import { rateSweepPlans } from "../../results/profiles.ts";
import { shareInterval } from "../../statistics/mod.ts";
import { capitalise, intervalName, list } from "../../results/words.ts";

/** The verdicts on a claim. */
export type ClaimVerdict =
  | "reproduced here"
  | "not reproduced here"
  | "refuted"
  | "not decided"
  | "not measured yet"
  | "not yet measurable";

/** A verdict and why it is so, in a sentence. */
export interface Judgement {
  verdict: ClaimVerdict;
  because: string;
}

/** The range of the true ratio, and how many runs it is over. */
export interface Range {
  low: number;
  high: number;
  runs: number;
  /** How many machines measured in them; absent where it was one in each. */
  machines?: number;
  /** What the interval is over, where it is neither one run nor several of a kind. */
  name?: string;
}

/** The claim that a ratio is about this. */
export interface AboutClaim extends Figures {
  /** Of two implementations: their names, so that the verdict says which is faster. */
  names?: { subject: string; reference: string };
  /** How its figure is written; as a ratio by default. */
  format?: (value: number) => string;
}

/**
 * Judges "about x": reproduced with the whole range in the band from x / factor to x · factor, not reproduced with
 * all of it outside. Where the article gives several figures, the band is from the lowest to the highest.
 */
export function judgeAbout(
  range: Range,
  { about, upTo, names, format = round }: AboutClaim,
  factor: number,
): Judgement {
  const band = upTo === undefined
    ? { low: about / factor, high: about * factor }
    : { low: about, high: upTo };
  const direction = names === undefined ? "" : `; ${directionOf(range, names)}`;
  const judge = (verdict: ClaimVerdict, lies: string, more = direction): Judgement => ({
    verdict,
    because: `The ${range.name ?? intervalName(range)} (${
      show(range, format)
    }) lies ${lies} the band of ${show(band, format)}${more}.`,
  });
  if (band.low <= range.low && range.high <= band.high) {
    return judge("reproduced here", "within", "");
  }
  if (range.high < band.low) return judge("not reproduced here", "below");
  if (band.high < range.low) return judge("not reproduced here", "above");
  return judge("not decided", "partly in and partly outside");
}

function directionOf(
  { low, high }: Range,
  { subject, reference }: NonNullable<AboutClaim["names"]>,
): string {
  if (low > 1) return `of these two alone, ${subject} is faster`;
  return high < 1 ? `of these two alone, ${reference} is faster` : "neither is shown to be faster";
}

/**
 * Judges that of many requests none fails, or some, or most: by the 95 % confidence interval of the share that failed, which
 * is compared with the objective of every run, or with half. It takes requests as independent; they are not where one stall
 * or one full queue fails many, so it is narrower than how far loads differ. A claim that none fails is not decided where a few do.
 */
export function judgeFailures(
  { failed, requests, said = "requests failed" }: {
    failed: number;
    requests: number;
    /** What there are so many of, and what became of them. */
    said?: string;
  },
  claimed: "none" | "some" | "most",
): Judgement {
  const { low, high } = shareInterval(failed, requests);
  const limit = claimed === "most" ? 0.5 : rateSweepPlans.full.goal.failureShare;
  const judge = (verdict: ClaimVerdict, lies: string, more = ""): Judgement => ({
    verdict,
    because: `${formatInteger(failed)} of ${
      formatInteger(requests)
    } ${said}; the interval of the share, as of independent requests (${percentText(low)}–${
      percentText(high)
    }), ${lies} ${percentText(limit)}${more}.`,
  });
  if (high <= limit) {
    if (claimed !== "none") return judge("not reproduced here", "lies below");
    return failed === 0
      ? judge("reproduced here", "lies below")
      : judge("not decided", "lies below", ", but it is more than none");
  }
  if (low > limit) {
    return judge(claimed === "none" ? "not reproduced here" : "reproduced here", "lies above");
  }
  return judge("not decided", "includes");
}

function percentText(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

/**
 * Judges "no benefit": reproduced with the whole range below the limit. The claim is that there is none anywhere, so a
 * benefit on one machine refutes it: that takes the long-run ratio, because a single run's interval leaves out what
 * runs differ by; with the range of a single run above the limit, the claim is not reproduced.
 */
export function judgeNoBenefit(
  range: Range,
  limit: number,
): Judgement {
  const judge = (verdict: ClaimVerdict, lies: string): Judgement => ({
    verdict,
    because: `The ${intervalName(range)} (${show(range)}) ${lies} ${
      round(limit)
    }, from which a benefit counts.`,
  });
  if (range.low > limit) {
    return judge(
      // Machines of one run share what differs from run to run.
      range.runs > 1 ? "refuted" : "not reproduced here",
      "lies above",
    );
  }
  if (range.high < limit) return judge("reproduced here", "lies below");
  return judge("not decided", "includes");
}

/** Returns the verdict on a claim from those on its levels, and says which levels have which, those that decide it first. */
export function judgeAltogether(
  levels: readonly (Judgement & { at: string; unit: string })[],
): Judgement {
  const byVerdict = Map.groupBy(levels, ({ verdict }) => verdict);
  const order = ["refuted", "not reproduced here", "reproduced here", "not decided"] as const;
  const against = (["refuted", "not reproduced here"] as const)
    .find((verdict) => byVerdict.has(verdict));
  const verdict = against ??
    (byVerdict.size === 1 && byVerdict.has("reproduced here") ? "reproduced here" : "not decided");
  const [because, ...others] = new Set(levels.map(({ because }) => because));
  if (others.length === 0 && because !== undefined) return { verdict, because };
  const parts = [...new Set<ClaimVerdict>([verdict, ...order])].flatMap((verdict) => {
    const those = byVerdict.get(verdict) ?? [];
    return those.length === 0
      ? []
      : [`${verdict} at ${list(those.map(({ at }) => at))} ${those[0]!.unit}`];
  });
  return { verdict, because: `${capitalise(parts.join("; "))}.` };
}

function show({ low, high }: Pick<Range, "low" | "high">, format = round): string {
  if (high === Infinity) return low === 0 ? "unbounded" : `at least ${format(low)}`;
  return low === 0 ? `at most ${format(high)}` : `${format(low)}–${format(high)}`;
}

/** Three digits show on which side of a limit a bound is. */
function round(ratio: number): string {
  return String(Number(ratio.toPrecision(3)));
}

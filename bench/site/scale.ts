/** Where values stand along an axis, in percent of its length, and its ticks: a handful, for a phone. */

/** An axis. */
export interface Scale {
  /** Returns the place of a value, from 0 to 100. */
  at(value: number): number;
  /** In ascending order. */
  ticks: { at: number; value: number }[];
}

/** Returns an axis from zero to the highest value. */
export function linearScale(highest: number): Scale {
  const end = highest > 0 ? highest : 1;
  const power = 10 ** Math.floor(Math.log10(end));
  const share = end / power;
  const step = power * (share <= 2 ? 0.5 : share <= 4 ? 1 : share <= 8 ? 2 : 2.5);
  const at = (value: number) => place(value / end);
  const values = Array.from(
    { length: Math.floor(end / step + 1e-9) + 1 },
    (_, index) => index * step,
  );
  return { at, ticks: values.map((value) => ({ at: at(value), value })) };
}

/** What a decade is multiplied by for ticks, from coarse to fine. */
const tickFactors = [
  [1, 2, 5],
  ...[1, 0.5, 0.2, 0.1].map((step) =>
    Array.from({ length: Math.round(9 / step) }, (_, index) => 1 + index * step)
  ),
];

/**
 * Returns a logarithmic axis that holds both values with a margin; ticks are decades, and where there would be fewer than
 * three of them, also 2 and 5 times each. Where fewer than two of those are inside, ticks are as much finer as two need.
 * Both are above zero.
 */
export function logScale(lowest: number, highest: number): Scale {
  const margin = Math.max(1.1, (highest / lowest) ** 0.05);
  const [low, high] = [Math.log10(lowest / margin), Math.log10(highest * margin)];
  const at = (value: number) => place((Math.log10(value) - low) / (high - low));
  const decades = Array.from(
    { length: Math.ceil(high) - Math.floor(low) + 1 },
    (_, index) => 10 ** (Math.floor(low) + index),
  );
  const inside = (values: number[]) =>
    values.filter((value) => Math.log10(value) >= low && Math.log10(value) <= high);
  const coarse = inside(decades);
  const finer = tickFactors.map((factors) =>
    inside(
      // Two digits are all that a tick has.
      decades.flatMap((decade) =>
        factors.map((factor) => Number((factor * decade).toPrecision(2)))
      ),
    )
  );
  const values = coarse.length >= 3 ? coarse : finer.find(({ length }) => length >= 2) ?? [];
  return { at, ticks: values.map((value) => ({ at: at(value), value })) };
}

/** Two digits behind the point are a tenth of a pixel. */
function place(share: number): number {
  return Math.round(share * 10_000) / 100;
}

/** Random noise of the shapes that benchmarks have, for simulations. */

/** Returns a value at random, given a generator of numbers in [0, 1). */
export type Noise = (random: () => number) => number;

export const normal: Noise = (random) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
export const exponential: Noise = (random) => -Math.log(1 - random());
export const logNormal: Noise = (random) => Math.exp(normal(random) / 2);
export const studentT3: Noise = (random) => {
  const square = () => normal(random) ** 2;
  return normal(random) / Math.sqrt((square() + square() + square()) / 3);
};

/** Returns as many values as asked for. */
export function draw<T>(count: number, value: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => value(index));
}

/** How sentences name several things and tell ratios: three digits at most, and the interval beside the estimate. */

/** Returns names or numbers as a sentence has them: `10, 50, and 100`. */
export function list(values: readonly (number | string)[]): string {
  return new Intl.ListFormat("en").format(values.map(String));
}

/**
 * Returns what sentences call implementations, by their names: what stands before the comma where nothing else is called so,
 * else the rest of the name in parentheses: `Go` of `Go, net/http`, but `Spring MVC (virtual threads)`.
 */
export function proseNames(names: readonly string[]): Map<string, string> {
  const headOf = (name: string) => name.split(", ", 1)[0]!;
  const heads = [...new Set(names)].map(headOf);
  return new Map(names.map((name) => {
    const head = headOf(name);
    const isShared = heads.indexOf(head) < heads.lastIndexOf(head);
    const rest = name.slice(head.length + 2);
    return [name, isShared && rest !== "" ? `${head} (${rest})` : head];
  }));
}

/** Returns a ratio as a sentence has it, with so many digits that each end stays on its side of 1: `1.6`. */
export function ratioText(value: number, digits = 2): string {
  if (value >= 100) return Number(value.toPrecision(3)).toLocaleString("en");
  const rounded = Number(value.toPrecision(digits));
  return rounded === 1 && value !== 1 && digits < 4
    ? ratioText(value, digits + 1)
    : rounded.toPrecision(digits);
}

/** Returns the interval of a ratio as a sentence has it: `95 %: 1.4–2.2`; what is published holds with 95 % or more. */
export function intervalText({ low, high }: { low: number; high: number }): string {
  return `95 %: ${ratioText(low)}–${ratioText(high)}`;
}

/** Returns a sentence with a capital letter at its start. */
export function capitalise(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** How sentences of pages name numbers, as tables do. */

/** Returns a number without decimals: `1,234`. */
export function countText(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 0 });
}

/** Returns a time in milliseconds with three digits, at least one before the point: `4.32`. */
export function millisecondsText(seconds: number): string {
  return threeDigits(1000 * seconds);
}

/** Returns a time in seconds with three digits, at least one before the point: `4.32`. */
export function secondsText(seconds: number): string {
  return threeDigits(seconds);
}

function threeDigits(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

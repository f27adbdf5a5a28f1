/** Returns a figure of three digits: `33,000`, `8.32`. */
export function threeDigits(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });
}

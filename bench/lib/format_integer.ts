/** Returns a number as people read it: rounded, with a comma after each thousand. */
export function formatInteger(value: number): string {
  return Math.round(value).toLocaleString("en");
}

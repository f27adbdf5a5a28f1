/**
 * Returns the fields of a text of `/proc/<pid>/stat` (proc(5)) from the third, the state, on: the second, the name in
 * parentheses, may contain anything.
 */
export function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Returns the name in such a text, which is cut to 15 bytes. */
export function statName(stat: string): string {
  return stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
}

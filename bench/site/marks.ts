/**
 * Which mark and colour an implementation has: a number that it keeps, on every page and in every later run. In: the runs
 * in the order of their age. Out: a number for each id, by its first appearance.
 */

/** The number of each implementation. */
export type Marks = ReadonlyMap<string, number>;

/** Returns the numbers with those of a later run: who has one keeps it, and new ones follow. */
export function marksWith(marks: Marks, results: readonly { impl: { id: string } }[]): Marks {
  const added = results.map(({ impl }) => impl.id).filter((id) => !marks.has(id));
  return new Map([...marks, ...added.map((id, index) => [id, marks.size + index] as const)]);
}

/**
 * Brackets beside rows in an order: which rows are tied. In: the tie groups, each as ids. Out: for each row its part of
 * every bracket. Groups that overlap have columns of their own.
 */

/** A row's part of a bracket; `beside` is a row that stands between tied ones and is not tied with them. */
export type BracketPart = "start" | "inside" | "end" | "beside" | "none";

/** Returns the parts of each row, a column each; takes the ids of the rows from the top. Groups of one have no bracket. */
export function bracketsOf(rows: readonly string[], groups: readonly string[][]): BracketPart[][] {
  const columns: BracketPart[][] = [];
  const spans = groups.map((group) => rows.flatMap((id, row) => group.includes(id) ? [row] : []))
    .filter((places) => places.length > 1)
    .sort((a, b) => a[0]! - b[0]!);
  for (const places of spans) {
    const [from, to] = [places[0]!, places.at(-1)!];
    const isFree = (column: BracketPart[]) =>
      column.slice(from, to + 1).every((part) => part === "none");
    const free = columns.find(isFree) ?? new Array<BracketPart>(rows.length).fill("none");
    if (!columns.includes(free)) columns.push(free);
    for (let row = from; row <= to; row++) {
      free[row] = row === from
        ? "start"
        : row === to
        ? "end"
        : places.includes(row)
        ? "inside"
        : "beside";
    }
  }
  return rows.map((_, row) => columns.map((column) => column[row]!));
}

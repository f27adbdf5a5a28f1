/** Returns rows of cells as lines with aligned columns, two spaces apart. */
export function alignColumns(rows: string[][]): string[] {
  // The last cell of a row widens no column.
  const widthOf = (index: number) =>
    Math.max(...rows.map((row) => index < row.length - 1 ? row[index]!.length : 0));
  return rows.map((row) =>
    row.map((cell, index) => cell.padEnd(widthOf(index))).join("  ").trimEnd()
  );
}

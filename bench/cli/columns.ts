import Table from "cli-table3";

/** Returns a table as text: a heading for each column, whose cells are aligned to the right. */
export function tableOf(columns: string[], rows: Table.Cell[][]): string {
  const table = new Table({
    head: columns,
    colAligns: columns.map(() => "right"),
    style: { head: [], border: [], compact: true },
  });
  table.push(...rows);
  return table.toString();
}

/** Returns a cell over so many columns, with words in place of figures. */
export function spanning(content: string, colSpan: number): Table.Cell {
  return { colSpan, content, hAlign: "left" };
}

/** Returns rows of cells as lines with aligned columns, two spaces apart. */
export function alignColumns(rows: string[][]): string[] {
  // The last cell of a row widens no column.
  const widthOf = (index: number) =>
    Math.max(...rows.map((row) => index < row.length - 1 ? row[index]!.length : 0));
  return rows.map((row) =>
    row.map((cell, index) => cell.padEnd(widthOf(index))).join("  ").trimEnd()
  );
}

/** A table as text: in Markdown, and as CSV by RFC 4180. Rows are texts, the first of them the names of columns. */

/** Returns a table in Markdown; a label of a group is a row of its own. */
export function markdownOf(rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const [head, ...rest] = rows;
  return [head, head.map(() => "---"), ...rest].map(line).join("\n") + "\n";
}

/** Returns a table as CSV: digits without separators of thousands, and no text that a spreadsheet would run as a formula. */
export function csvOf(rows) {
  return rows.map((cells) => cells.map(csvCell).join(",") + "\r\n").join("");
}

function csvCell(cell) {
  const text = /^[≥≤ ]*\d{1,3}(,\d{3})+(\.\d+)?$/.test(cell) ? cell.replaceAll(",", "") : cell;
  const safe = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns the shown rows of a table of a page, in the order shown, as texts; groups have a column in front. */
export function rowsOfTable(table) {
  const bodies = [...table.tBodies].filter((body) => !body.hidden);
  const hasGroups = bodies.some((body) => body.querySelector(".group"));
  const columns = [...table.tHead.rows[0].cells].map((cell) => wordsOf(cell));
  const rows = bodies.flatMap((body) => {
    const label = body.querySelector(".group");
    const group = hasGroups ? [label ? wordsOf(label) : ""] : [];
    return [...body.rows].filter((row) => row !== label && !row.hidden)
      .map((row) => [...group, ...[...row.cells].flatMap(cellsOf)]);
  });
  return [hasGroups ? ["Group", ...columns] : columns, ...rows];
}

/** A cell that spans columns is followed by empty ones. */
function cellsOf(cell) {
  return [wordsOf(cell), ...new Array(cell.colSpan - 1).fill("")];
}

/** What only a screen reader says is no part of the text; an absent figure is empty. */
function wordsOf(cell) {
  const copy = cell.cloneNode(true);
  const unseen = copy.querySelectorAll(".hidden, .arrow");
  const isAbsent = [...unseen].some(({ textContent }) => textContent === "absent");
  for (const element of unseen) element.remove();
  return isAbsent ? "" : copy.textContent.replaceAll(/\s+/g, " ").trim();
}

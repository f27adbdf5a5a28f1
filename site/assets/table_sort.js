import { readState, writeState } from "./address.js";
import { columnKeys, orderOf, parseSort, sortValue } from "./table_order.js";
import { makeSortChoice } from "./table_sort_choice.js";

const ariaSort = { asc: "ascending", desc: "descending" };

/**
 * Makes the headers of a table sort it: numbers from the greatest, texts from A, then the other way round, then as
 * published. Each group of rows is sorted within itself. Tells whether the address had it sorted.
 */
export function makeSortable(table) {
  const id = table.caption?.id;
  const headers = [...table.tHead?.rows[0]?.cells ?? []];
  const groups = [...table.tBodies].map((body) => ({ body, rows: rowsOf(body) }));
  if (!id || !groups.some(({ rows }) => rows.length > 1)) return false;
  const columns = headers.map((header) => ({
    key: header.dataset.key,
    label: header.firstChild?.textContent.trim() ?? "",
    unit: header.querySelector(".unit")?.textContent,
    isNumber: header.classList.contains("number"),
  }));
  const keys = columnKeys(columns);
  const showChoice = table.matches(".stack")
    ? makeSortChoice(table, columns.map(nameOf), choose)
    : () => {};
  let sorted;

  function choose(next) {
    sort(next);
    writeState("sort", id, next ? `${keys[next.column]}.${next.direction}` : "");
  }

  function sort(next) {
    sorted = next;
    showChoice(next);
    for (const [column, header] of headers.entries()) {
      if (column === next?.column) header.setAttribute("aria-sort", ariaSort[next.direction]);
      else header.removeAttribute("aria-sort");
    }
    const isNumber = next && columns[next.column].isNumber;
    for (const { body, rows } of groups) {
      const order = next
        ? orderOf(rows.map((row) => valueAt(row, next.column, isNumber)), next.direction)
        : rows.keys();
      body.append(...[...order].map((index) => rows[index]));
    }
  }

  for (const [column, header] of headers.entries()) {
    const button = document.createElement("button");
    button.type = "button";
    const arrow = document.createElement("span");
    arrow.className = "arrow";
    const [label, ...rest] = header.childNodes;
    label.textContent = label.textContent.trim();
    button.append(label, arrow, " ", ...rest);
    header.append(button);
    const first = columns[column].isNumber ? "desc" : "asc";
    const second = first === "desc" ? "asc" : "desc";
    button.addEventListener("click", () => {
      const direction = sorted?.column !== column
        ? first
        : sorted.direction === first
        ? second
        : undefined;
      choose(direction && { column, direction });
    });
  }
  const restored = parseSort(readState("sort", id), keys);
  if (restored) sort(restored);
  return restored !== undefined;
}

/** Names a column as it is read without its heading: with the first part of its unit. */
function nameOf({ label, unit, isNumber }) {
  return { name: unit ? `${label}, ${unit.split(",")[0]}` : label, isNumber };
}

/** Returns the rows below the label of the group. */
export function rowsOf(body) {
  return [...body.rows].filter((row) => !row.classList.contains("group"));
}

/** A reason that takes the place of figures stands for none of them. */
function valueAt(row, column, isNumber) {
  let next = 0;
  const cell = [...row.cells].find(({ colSpan }) => (next += colSpan) > column);
  if (!cell || cell.colSpan > 1 || (isNumber && cell.classList.contains("reason"))) {
    return undefined;
  }
  return sortValue(cell.dataset.value ?? cell.textContent, isNumber || "value" in cell.dataset);
}

import { readState, writeState } from "./address.js";
import { hasWords } from "./table_order.js";
import { rowsOf } from "./table_sort.js";

const shortTable = 8;

/**
 * Puts a field above a long table that hides the rows, and the groups, without its words: in the label of the row or the
 * group, or in a cell of text. Figures are no words. Tells whether the address had it filtered.
 */
export function makeFilterable(table) {
  const id = table.caption?.id;
  const groups = [...table.tBodies].map((body) => ({
    body,
    label: body.querySelector(".group")?.textContent ?? "",
    rows: rowsOf(body),
  }));
  const count = groups.reduce((total, { rows }) => total + rows.length, 0);
  if (!id || count <= shortTable) return false;

  const field = document.createElement("p");
  field.className = "filter";
  const label = document.createElement("label");
  const input = document.createElement("input");
  input.type = "search";
  input.id = `${id}-filter`;
  input.autocomplete = "off";
  label.htmlFor = input.id;
  label.textContent = "Filter";
  const about = document.createElement("span");
  about.className = "hidden";
  about.textContent = ` the table: ${table.caption.textContent}`;
  label.append(about);
  const status = document.createElement("span");
  status.role = "status";
  field.append(label, input, status);
  (table.closest(".scroll") ?? table).before(field);

  function filter(words) {
    let shown = 0;
    for (const { body, label, rows } of groups) {
      let shownHere = 0;
      for (const row of rows) {
        row.hidden = !hasWords(`${label} ${wordsOf(row)}`, words);
        if (!row.hidden) shownHere += 1;
      }
      body.hidden = shownHere === 0;
      shown += shownHere;
    }
    status.textContent = words === "" ? "" : `${shown} of ${count} rows`;
  }

  input.addEventListener("input", () => {
    const words = input.value.trim();
    filter(words);
    writeState("filter", id, words);
  });
  const restored = readState("filter", id);
  if (restored) {
    input.value = restored;
    filter(restored);
  }
  return restored !== "";
}

function wordsOf(row) {
  return [...row.querySelectorAll("th, td[class]")].map((cell) => cell.textContent).join(" ");
}

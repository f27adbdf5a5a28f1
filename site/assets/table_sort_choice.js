/** Where a phone shows each row as a block, the headers are not there: a choice sorts in their place. */

const directions = {
  number: [["desc", "highest first"], ["asc", "lowest first"]],
  text: [["asc", "A to Z"], ["desc", "Z to A"]],
};

/**
 * Puts the choice above a table; style sheets show it where the headers are hidden. `choose` is called with the column and
 * the direction, or with nothing. Returns how to make it show what is chosen otherwise.
 */
export function makeSortChoice(table, columns, choose) {
  const place = document.createElement("p");
  place.className = "sort";
  const select = document.createElement("select");
  select.id = `${table.caption.id}-sort`;
  select.append(new Option("as published", ""));
  for (const [column, { name, isNumber }] of columns.entries()) {
    for (const [direction, words] of directions[isNumber ? "number" : "text"]) {
      select.append(new Option(`${name}: ${words}`, `${column}.${direction}`));
    }
  }
  const label = document.createElement("label");
  label.htmlFor = select.id;
  label.textContent = "Sort by";
  const about = document.createElement("span");
  about.className = "hidden";
  about.textContent = `, in the table: ${table.caption.textContent}`;
  label.append(about);
  place.append(label, select);
  (table.closest(".scroll") ?? table).before(place);
  select.addEventListener("change", () => {
    const [column, direction] = select.value.split(".");
    choose(direction && { column: Number(column), direction });
  });
  return (sorted) => {
    select.value = sorted ? `${sorted.column}.${sorted.direction}` : "";
  };
}

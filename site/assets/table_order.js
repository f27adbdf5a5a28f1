/** In which order do the rows of a table stand? Texts and numbers only, no document: tests import it. */

/**
 * Returns what a cell is sorted by: a number, a text, or nothing where a figure is absent. Of several numbers in a
 * cell, as in an interval, the first counts.
 */
export function sortValue(text, isNumber) {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.startsWith("–")) return undefined;
  if (!isNumber) return trimmed;
  const [number] = trimmed.replaceAll(",", "").match(/[-−]?\d+(\.\d+)?(e[-+]?\d+)?/) ?? [];
  return number === undefined ? undefined : Number(number.replace("−", "-"));
}

/** Returns the indexes of values in order, stable; what is absent comes last in either direction. */
export function orderOf(values, direction) {
  const sign = direction === "desc" ? -1 : 1;
  return values.map((_, index) => index).sort((a, b) => {
    const [left, right] = [values[a], values[b]];
    if (left === undefined || right === undefined) {
      return (left === undefined) - (right === undefined) || a - b;
    }
    const difference = typeof left === "number" && typeof right === "number"
      ? left - right
      : String(left).localeCompare(String(right), "en", { numeric: true });
    return sign * difference || a - b;
  });
}

/** Returns names for columns, each once: its key, else its label, with the unit where that is needed. */
export function columnKeys(columns) {
  const slug = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  const short = columns.map(({ key, label }) => key ?? slug(label));
  return columns.map(({ label, unit }, index) => {
    const isOnce = short.indexOf(short[index]) === short.lastIndexOf(short[index]);
    return isOnce ? short[index] : slug(`${label} ${unit ?? index}`);
  });
}

/** Returns the column and the direction of a text as the address has it, or nothing where there is no such column. */
export function parseSort(text, keys) {
  const [, key, direction] = text.match(/^(.+)\.(asc|desc)$/) ?? [];
  const column = keys.indexOf(key);
  return column < 0 ? undefined : { column, direction };
}

/** Tells whether each of the words begins one of a text, whatever their case: `50` is not in `150`. */
export function hasWords(text, words) {
  const has = text.toLowerCase().split(/[^\p{L}\p{N}.]+/u);
  return words.toLowerCase().split(/[^\p{L}\p{N}.]+/u)
    .every((word) => has.some((other) => other.startsWith(word)));
}

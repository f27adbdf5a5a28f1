/** The state of the page's tables in its address: `?sort.<table>=<column>.desc&filter.<table>=<words>`. */

/** Returns what the address says of a table, or the empty text. */
export function readState(name, table) {
  return new URLSearchParams(location.search).get(`${name}.${table}`) ?? "";
}

/** Puts the state of a table into the address, without a step in the history; an empty text takes it out. */
export function writeState(name, table, value) {
  const query = new URLSearchParams(location.search);
  if (value === "") query.delete(`${name}.${table}`);
  else query.set(`${name}.${table}`, value);
  const text = query.toString();
  const search = text === "" ? "" : `?${text}`;
  history.replaceState(history.state, "", `${location.pathname}${search}${location.hash}`);
}

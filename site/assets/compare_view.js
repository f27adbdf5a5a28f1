// How comparisons look: figures become text nodes, and tables come from the page's templates.
import { machineOf } from "./compare_sides.js";

const withinRun =
  "First over second is the ratio of warm goodput, with the interval of this run for these two. All intervals of a level hold simultaneously, with " +
  "95 % confidence. Tied: we could not measure a difference, or the load generator limited the slower one.";
const acrossRuns =
  "An interval over runs is of the run and the comparable ones before it, and covers how far runs differ. If two such " +
  "intervals do not overlap, the ratios differ, with more confidence than either interval has. Overlapping intervals do not " +
  "show that two are equal. The interval of a single run covers its rounds alone, so it decides nothing between runs.";
const ofSteps =
  "Intervals are over the rounds of each run, with 95 % confidence. The two were not loaded alternately, so a difference " +
  "may be the moment’s, not the program’s: there is no verdict.";

export function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

export function option(value, text = value) {
  const made = element("option", text);
  made.value = value;
  return made;
}

/** Returns the sentence on what the verdicts of two runs, or of one, mean. */
export function meaning(isOneRun) {
  return element("p", isOneRun ? withinRun : acrossRuns);
}

/** Returns the sentence on why steps beside each other have no verdict. */
export function meaningOfSteps() {
  return element("p", ofSteps);
}

/** Returns a warning as the pages' own look. */
export function warning(text) {
  return element("p", text, "marks");
}

/** Returns a comparison: who is compared, and its tables or the reason why not. */
export function comparisonPart({ a, b, reason, rows, goodput, steps }, place, base) {
  const id = `compared-${place}`;
  const made = document.createDocumentFragment();
  const names = [a, b].map(({ impl }) => impl.name);
  made.append(element("h3", [...new Set(names)].join(" and ")), sidesList(a, b, base));
  const what = a.impl.levels.length === 0 ? "figures" : "ratios";
  if (reason) made.append(element("p", `Their ${what} are not comparable: ${reason}.`, "reason"));
  if (rows) made.append(ratioTable(rows, id));
  if (goodput) made.append(goodputTable(goodput, machineOf(a), id));
  if (steps) made.append(stepsTable(steps, machineOf(a), id));
  return made;
}

function sidesList(a, b, base) {
  const list = element("dl");
  for (const [label, { impl, run }] of [["First", a], ["Second", b]]) {
    const link = element("a", run.id);
    link.href = `${base}runs/${run.id}/`;
    const said = element("dd", `${impl.name}, run `);
    said.append(link);
    list.append(element("dt", label), said);
  }
  return list;
}

function ratioTable(rows, id) {
  const hasBetween = rows.some(({ between }) => between);
  const caption = "Warm ratio to the control, with its interval";
  const made = tableFrom("compare-ratios", `${id}-ratios`, caption, rows, (row) => [
    element("td", row.verdict, "text"),
    standingCell(row.a),
    standingCell(row.b),
    ...(hasBetween ? [betweenCell(row.between)] : []),
  ]);
  if (!hasBetween) made.querySelector("thead th:nth-child(5)").remove();
  return made;
}

function goodputTable(rows, machine, id) {
  const count = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const cell = (text, isBound, missing) =>
    missing === undefined
      ? element("td", (isBound ? "at least " : "") + text())
      : element("td", missing, "reason");
  const warm = ({ warm, isBound, warmMissing }) =>
    cell(
      () =>
        `${count.format(warm.estimate)} (${count.format(warm.low)} to ${count.format(warm.high)})`,
      isBound,
      warmMissing,
    );
  const cold = ({ cold, isBound, coldMissing }) =>
    cell(() => count.format(cold), isBound, coldMissing);
  const caption = `Goodput, warm and cold, on ${machine}: of each run alone, so no verdict`;
  return tableFrom("compare-goodput", `${id}-goodput`, caption, rows, ({ a, b }) => [
    warm(a),
    warm(b),
    cold(a),
    cold(b),
  ]);
}

/** How many columns of figures their tables have. */
const columnsOf = { bursts: 7, deliveries: 8 };

function stepsTable({ kind, rows }, machine, id) {
  const what = kind === "bursts" ? "Users at once" : "Notifications";
  const caption = `${what}, on ${machine}: of each run alone, so no verdict`;
  return tableFrom(`compare-${kind}`, `${id}-${kind}`, caption, rows, (row) => [
    element("td", row.side, "text"),
    ...row.missing === undefined
      ? row.cells.map((text) => element("td", text))
      : [Object.assign(element("td", row.missing, "reason"), { colSpan: columnsOf[kind] })],
  ]);
}

/** Returns the table of a template of the page, with a row for each level or step. */
function tableFrom(templateId, captionId, caption, rows, cellsOf) {
  const made = document.getElementById(templateId).content.firstElementChild.cloneNode(true);
  made.setAttribute("aria-labelledby", captionId);
  const head = made.querySelector("caption");
  head.id = captionId;
  head.firstElementChild.textContent = caption;
  const labels = [...made.querySelectorAll("thead th")].map((header) =>
    header.firstChild.textContent
  );
  const body = element("tbody");
  for (const row of rows) {
    const label = element("th", row.label ?? String(row.connections));
    label.scope = "row";
    const line = element("tr");
    line.append(label, ...cellsOf(row));
    // On a phone, a cell stands without its column.
    for (const [place, cell] of [...line.cells].entries()) {
      if (place > 0) cell.dataset.label = labels[place];
    }
    body.append(line);
  }
  made.querySelector("table").append(body);
  return made;
}

function standingCell({ ratio, runs, isBound, missing }) {
  const over = runs > 1 ? `, over ${runs} runs` : "";
  return ratio
    ? element("td", (isBound ? "at least " : "") + intervalText(ratio) + over)
    : element("td", missing, "reason");
}

function betweenCell(between) {
  if (between) return element("td", between.qualifier + intervalText(between.ratio));
  const cell = element("td", "–");
  cell.append(element("span", "absent", "hidden"));
  return cell;
}

function intervalText({ estimate, low, high }) {
  return `${estimate.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
}

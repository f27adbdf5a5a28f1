// How comparisons look: figures become text nodes, and tables come from the page's templates.
import { machineOf } from "./compare_sides.js";
import { countText, intervalTexts } from "./step_text.js";

/** What the tables of scenarios without levels are of. */
const ofSteps = { bursts: "Bursts", deliveries: "Deliveries" };

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

/** Returns what verdicts mean, or why there are none, in the words of the page: `within-run`, `across-runs`, `of-bursts`, `of-deliveries`, `whole-run`, `none`. */
export function meaning(what) {
  return document.getElementById(`compare-${what}`).content.cloneNode(true);
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
  const what = a.impl.levels.length ? "ratios" : "figures";
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
  const made = tableFrom("compare-ratios", `${id}-ratios`, caption, [{ rows }], (row) => [
    element("td", row.verdict, "text"),
    standingCell(row.a),
    standingCell(row.b),
    ...(hasBetween ? [figureCell(row.between && ratioText(row.between))] : []),
  ]);
  if (!hasBetween) made.querySelector("thead th:nth-child(5)").remove();
  return made;
}

function goodputTable(rows, machine, id) {
  const cell = (text, isBound, missing) =>
    missing
      ? element("td", missing, "reason")
      : element("td", (isBound ? "at least " : "") + text());
  const warm = ({ warm, isBound, warmMissing }) =>
    cell(
      () => `${countText(warm.estimate)} (${countText(warm.low)} to ${countText(warm.high)})`,
      isBound,
      warmMissing,
    );
  const cold = ({ cold, isBound, coldMissing }) =>
    cell(() => countText(cold), isBound, coldMissing);
  const caption = `Goodput, warm and cold, on ${machine}: of each run alone, so no verdict`;
  return tableFrom("compare-goodput", `${id}-goodput`, caption, [{ rows }], ({ a, b }) => [
    warm(a),
    warm(b),
    cold(a),
    cold(b),
  ]);
}

function stepsTable({ kind, groups }, machine, id) {
  const caption = `${ofSteps[kind]}, on ${machine}: of each run alone, so no verdict`;
  return tableFrom(
    `compare-${kind}`,
    `${id}-${kind}`,
    caption,
    groups,
    (row, count) =>
      row.missing ? [reasonCell(row.missing, count)] : row.cells.map((text) => figureCell(text)),
  );
}

/** Returns a reason in place of so many figures. */
function reasonCell(text, count) {
  const cell = element("td", undefined, "reason");
  cell.colSpan = count;
  cell.append(element("span", text));
  return cell;
}

/** Returns the table of a template of the page: groups, with a label where they have one, of a row for each level or side. */
function tableFrom(templateId, captionId, caption, groups, cellsOf) {
  const made = document.getElementById(templateId).content.firstElementChild.cloneNode(true);
  made.setAttribute("aria-labelledby", captionId);
  const head = made.querySelector("caption");
  head.id = captionId;
  head.firstElementChild.textContent = caption;
  const labels = [...made.querySelectorAll("thead th")].map(labelOf);
  made.querySelector("table").append(...groups.map(({ label, rows }) => {
    const body = element("tbody");
    if (label !== undefined) body.append(groupRow(label, labels.length));
    body.append(...rows.map((row) => lineOf(row, labels, cellsOf(row, labels.length - 1))));
    return body;
  }));
  return made;
}

/** Returns the label of a column with the first part of its unit, as those of the pages. */
function labelOf(header) {
  const unit = header.querySelector(".unit")?.textContent.split(",")[0];
  return [header.firstChild.textContent.trim(), unit].filter(Boolean).join(", ");
}

function groupRow(label, columns) {
  const cell = element("th");
  cell.scope = "rowgroup";
  cell.colSpan = columns;
  cell.append(element("span", label));
  const row = element("tr", undefined, "group");
  row.append(cell);
  return row;
}

function lineOf(row, labels, cells) {
  const header = element("th", row.label ?? row.connections, row.label ? "" : "number");
  header.scope = "row";
  const line = element("tr");
  line.append(header, ...cells);
  // On a phone, a cell stands without its column.
  for (const [place, cell] of [...line.cells].entries()) cell.dataset.label = labels[place];
  return line;
}

function standingCell(standing) {
  const { ratio, runs, missing } = standing;
  const over = runs > 1 ? `, over ${runs} runs` : "";
  return ratio ? element("td", ratioText(standing) + over) : element("td", missing, "reason");
}

/** Returns the cell of a figure, which is absent where it is undefined, as the pages have it. */
function figureCell(text) {
  const cell = element("td", text ?? "–");
  if (text === undefined) cell.append(element("span", "absent", "hidden"));
  return cell;
}

/** Returns a ratio with its interval; of one that is only a bound, the end of it that is known. */
function ratioText({ ratio, qualifier }) {
  return qualifier
    ? `${qualifier} ${(qualifier === "at least" ? ratio.low : ratio.high).toFixed(3)}`
    : `${ratio.estimate.toFixed(3)} (${intervalTexts(ratio).join(" to ")})`;
}

// The page that compares any two: its four choices are the address, its figures come from api/.
import { isWholeRun, pairUp, problemOf, readChoice, runLabel } from "./compare_choice.js";
import { offerPairs } from "./compare_pair.js";
import { compareSides } from "./compare_sides.js";
import { comparisonPart, element, meaning, option, warning } from "./compare_view.js";
import { titleOf, warningsFor } from "./compare_words.js";

const form = document.getElementById("compare");
const status = document.getElementById("compare-status");
const result = document.getElementById("compare-result");
const title = document.getElementById("compare-title");
const { base } = form.dataset;
const pageTitle = document.title;
const read = new Map();
// Only the newest choice is shown, whichever answer comes first.
let asked = 0;

/** Reads a file below api/, each once; an error says which. */
function fetchJson(path) {
  if (!read.has(path)) read.set(path, fetchOnce(`${base}api/${path}`));
  return read.get(path).catch((error) => {
    read.delete(path);
    throw error;
  });
}

async function fetchOnce(address) {
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`status is ${response.status}, expected 200`);
    const data = await response.json();
    if (data.schemaVersion === 1) return data;
    throw new Error(`its schema version is ${data.schemaVersion}, expected 1`);
  } catch (cause) {
    throw new Error(`Cannot read ${address}: ${cause.message}`, { cause });
  }
}

function fillRuns({ runs }) {
  for (const name of ["run-a", "run-b"]) {
    form.elements[name].replaceChildren(
      ...runs.map((run) => option(run.id, runLabel(run))),
    );
  }
}

/** Offers the implementations of the chosen run, and chooses one of them, or every. */
function fillImpls(side, { runs }, wanted) {
  const run = runs.find(({ id }) => id === form.elements[`run-${side}`].value);
  const select = form.elements[`impl-${side}`];
  const options = (run?.impls ?? []).map(({ id, name, class: implClass }) =>
    option(id, implClass === "tuned" ? `${name} (tuned)` : name)
  );
  select.replaceChildren(option("", "every implementation"), ...options);
  select.value = wanted;
  if (select.selectedIndex < 0) select.value = "";
}

function fill({ runA, implA, runB, implB }, index) {
  form.elements["run-a"].value = runA;
  form.elements["run-b"].value = runB;
  fillImpls("a", index, implA);
  fillImpls("b", index, implB);
}

function say(text, className = "") {
  status.className = className;
  status.textContent = text;
}

function fail({ message }) {
  say(message, "reason");
}

async function show(choice, index) {
  const turn = ++asked;
  result.hidden = true;
  const problem = problemOf(choice, index);
  if (problem !== undefined) return fail({ message: problem });
  say("Reading runs.");
  const runs = await Promise.all(
    [choice.runA, choice.runB].map((id) => fetchJson(`runs/${id}.json`)),
  ).catch((error) => {
    if (turn === asked) throw error;
  });
  if (turn !== asked) return;
  title.textContent = titleOf(choice, ...runs);
  document.title = `${title.textContent} · Backbench`;
  result.replaceChildren(title, ...partsOf(choice, ...runs));
  result.hidden = false;
  say("Shown below.");
}

function partsOf(choice, runA, runB) {
  if (isWholeRun(choice)) {
    const said = meaning("whole-run");
    said.querySelector("a").href = `${base}compare/${runA.id}/#pairs`;
    return [said];
  }
  const { sides, onlyA, onlyB } = pairUp(choice, runA, runB);
  const warnings = new Set(sides.flatMap(([a, b]) => warningsFor(a, b)));
  const parts = [...warnings].map(warning);
  if (sides.length === 0) parts.push(meaning("none"));
  for (const [names, { id }] of [[onlyA, runA], [onlyB, runB]]) {
    if (names.length > 0) parts.push(element("p", `Only in run ${id}: ${names.join("; ")}.`));
  }
  const compared = sides.map(([a, b]) => compareSides(a, b));
  if (compared.some(({ rows }) => rows)) {
    parts.push(meaning(runA.id === runB.id ? "within-run" : "across-runs"));
  }
  const steps = compared.find(({ steps }) => steps)?.steps;
  if (steps) parts.push(meaning(`of-${steps.kind}`));
  return [
    ...parts,
    ...compared.map((comparison, place) => comparisonPart(comparison, place, base)),
  ];
}

/** Shows what the address asks for. */
async function follow(index) {
  const choice = readChoice(location.search, index);
  document.title = pageTitle;
  fill(choice, index);
  // Tables keep their order in the address, too.
  if (/[?&]run-a=/.test(location.search)) {
    form.closest("details").open = true;
    return await show(choice, index);
  }
  asked++;
  result.hidden = true;
  say("");
}

async function start() {
  const index = await fetchJson("index.json");
  if (index.runs.length === 0) return;
  fillRuns(index);
  for (const side of ["a", "b"]) {
    form.elements[`run-${side}`].addEventListener("change", () => {
      fillImpls(side, index, form.elements[`impl-${side}`].value);
    });
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    history.pushState(null, "", `?${new URLSearchParams(new FormData(form))}`);
    // The reader asked for it: the result is where they go on.
    follow(index).then(() => result.hidden || title.focus()).catch(fail);
  });
  addEventListener("popstate", () => follow(index).catch(fail));
  form.hidden = false;
  await follow(index);
}

offerPairs(document.getElementById("pair"));
start().catch(fail);

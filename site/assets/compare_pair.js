// Which two of a scenario's current run: each pair has a page of its own, which the form leads to.
import { option } from "./compare_view.js";
import { pairAddress } from "./pair_address.js";

/** Offers the implementations that the page lists, and leads to the page of two of them. */
export function offerPairs(form) {
  const lists = [...document.querySelectorAll("[data-scenario]")];
  if (lists.length === 0) return;
  const { scenario, one, two } = form.elements;
  scenario.replaceChildren(...lists.map(({ dataset }) => option(dataset.scenario)));

  const listOf = () => lists.find(({ dataset }) => dataset.scenario === scenario.value);
  const implsOf = () => [...listOf().querySelectorAll("[data-impl]")];
  const fill = (select, impls, wanted) => {
    select.replaceChildren(
      ...impls.map(({ dataset, textContent }) => option(dataset.impl, textContent.trim())),
    );
    select.value = wanted;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
  };
  // Only implementations of one class are compared.
  const fillSecond = (wanted) => {
    const impls = implsOf();
    const { dataset } = impls.find(({ dataset }) => dataset.impl === one.value);
    const others = impls.filter((other) =>
      other.dataset.class === dataset.class && other.dataset.impl !== one.value
    );
    fill(two, others, wanted);
  };
  const fillBoth = () => {
    const { first, second } = listOf().dataset;
    fill(one, implsOf(), first);
    fillSecond(second);
  };

  scenario.addEventListener("change", fillBoth);
  one.addEventListener("change", () => fillSecond(two.value));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (two.value === "") return;
    location.assign(form.dataset.base + pairAddress(scenario.value, one.value, two.value));
  });
  fillBoth();
  form.hidden = false;
}

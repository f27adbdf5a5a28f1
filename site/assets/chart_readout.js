/** How far from a mark a pointer may be, in pixels of the screen. */
const reach = 28;

/** Reads the marks of a chart out, in a line below it: by pointer, by touch, and by arrow keys. */
export function makeReadable(svg) {
  // The title of a mark is what a browser without script shows for it.
  const marks = [...svg.querySelectorAll("title")].map((title) => ({
    element: title.parentElement,
    text: title.textContent,
  }));
  if (marks.length === 0) return;
  const readout = document.createElement("p");
  readout.className = "readout";
  // Below the name of the axis, which belongs to the picture.
  const { nextElementSibling: next } = svg;
  (next?.classList.contains("axis") ? next : svg).after(readout);
  svg.setAttribute("tabindex", "0");
  let current = -1;

  function show(index) {
    if (index === current && readout.textContent !== "") return;
    marks[current]?.element.classList.remove("on");
    current = index;
    marks[current]?.element.classList.add("on");
    // A mark is said aloud; the hint, which comes back whenever one leaves a mark, is not.
    readout.setAttribute("aria-live", current < 0 ? "off" : "polite");
    readout.textContent = marks[current]?.text ??
      "Point at a mark to read it, or step through them with the arrow keys.";
    readout.classList.toggle("on", current >= 0);
  }

  /** Returns the index of the mark that is nearest, within reach; -1 where there is none. */
  function nearest({ clientX, clientY }) {
    let [found, least] = [-1, reach];
    for (const [index, { element }] of marks.entries()) {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const away = Math.hypot(
        Math.max(left - clientX, 0, clientX - right),
        Math.max(top - clientY, 0, clientY - bottom),
      );
      if (away < least) [found, least] = [index, away];
    }
    return found;
  }

  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  svg.addEventListener("pointermove", (event) => show(nearest(event)));
  svg.addEventListener("pointerdown", (event) => show(nearest(event)));
  svg.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") show(-1);
  });
  // A line must be one that is said aloud before it changes.
  svg.addEventListener("focus", () => readout.setAttribute("aria-live", "polite"));
  svg.addEventListener("blur", () => show(-1));
  svg.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (step === undefined) {
      if (event.key === "Escape") show(-1);
      return;
    }
    event.preventDefault();
    show(
      current < 0 && step < 0 ? marks.length - 1 : (current + step + marks.length) % marks.length,
    );
  });
  show(-1);
}

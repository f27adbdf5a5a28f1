import { csvOf, markdownOf, rowsOfTable } from "./table_text.js";

/** Puts buttons below a table that copy its address, and what it shows in Markdown or as CSV. */
export function makeCopyable(table) {
  const id = table.caption?.id;
  // Only a secure page may write to the clipboard.
  if (!id || !navigator.clipboard) return;
  const about = table.caption.textContent.trim();
  (table.closest(".scroll") ?? table).after(barOf(about, [
    ["Copy link", "Link copied", () => linkTo(id)],
    ["Copy as Markdown", "Copied as Markdown", () => markdownOf(rowsOfTable(table))],
    ["Copy as CSV", "Copied as CSV", () => csvOf(rowsOfTable(table))],
  ]));
}

/** Puts a button below a paragraph that copies the address of the page. */
export function makeLinkCopyable(paragraph) {
  if (!navigator.clipboard) return;
  const { copyLink } = paragraph.dataset;
  paragraph.after(barOf(copyLink, [["Copy link", "Link copied", () => linkTo("")]]));
}

/** Puts a button below a text that is there to be copied. */
export function makeTextCopyable(pre) {
  if (!navigator.clipboard) return;
  pre.after(barOf(pre.dataset.copy, [["Copy", "Copied", () => pre.textContent]]));
}

/** Returns the address of the page as it is shown, at an element where one is named. */
function linkTo(id) {
  const { origin, pathname, search } = location;
  return `${origin}${pathname}${search}${id === "" ? "" : `#${id}`}`;
}

function barOf(about, choices) {
  const bar = document.createElement("p");
  bar.className = "copy";
  const status = document.createElement("span");
  status.role = "status";
  for (const [label, done, textOf] of choices) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    const hidden = document.createElement("span");
    hidden.className = "hidden";
    hidden.textContent = `: ${about}`;
    button.append(hidden);
    button.addEventListener("click", async () => {
      // Emptied first, so that the same words are said again.
      status.textContent = "";
      try {
        await navigator.clipboard.writeText(textOf());
        status.textContent = done;
      } catch {
        status.textContent = "The browser did not allow copying";
      }
    });
    bar.append(button);
  }
  bar.append(status);
  return bar;
}

/** What a reader gains by script: tables that sort, filter and are copied, charts that read out. Nothing here is needed to read. */
import { makeReadable } from "./chart_readout.js";
import { makeCopyable, makeLinkCopyable, makeTextCopyable } from "./copy.js";
import { makeFilterable } from "./table_filter.js";
import { makeSortable } from "./table_sort.js";

for (const table of document.querySelectorAll(".scroll > table")) {
  const isRestored = [makeSortable(table), makeFilterable(table)].includes(true);
  // Who comes by an address that sorts or filters a table wants to see it.
  const fold = table.closest("details");
  if (fold && isRestored) fold.open = true;
  makeCopyable(table);
}
for (const pre of document.querySelectorAll("pre[data-copy]")) makeTextCopyable(pre);
for (const paragraph of document.querySelectorAll("[data-copy-link]")) makeLinkCopyable(paragraph);
for (const svg of document.querySelectorAll(".chart svg[role=img]")) makeReadable(svg);

/**
 * A table of steps in a comment: a row for each step of the head, and under it one for the same step of its base, where that
 * was measured in the same job. The two were not measured alternately, so they stand side by side without a verdict.
 */
import { code } from "../markdown.ts";

/** Maximum number of steps. */
const maxSteps = 24;

/** What a table is made of. */
export interface StepTable<Step> {
  /** Those that name a step, then those of its figures: each with whether it is text. */
  columns: { label: string; isText?: boolean }[];
  /** How many of the columns name a step. */
  named: number;
  nameOf(step: Step): string[];
  /** The cells of its figures, or why there are none. */
  figuresOf(step: Step): string[] | { missing: string };
  isSame(a: Step, b: Step): boolean;
}

/** Returns the table; the base's steps are undefined where it was not measured. */
export function renderStepTable<Step>(
  steps: readonly Step[],
  base: readonly Step[] | undefined,
  { columns, named, nameOf, figuresOf, isSame }: StepTable<Step>,
): string {
  const sources = base === undefined ? [] : [{ label: "of", isText: true }];
  const all = [...columns.slice(0, named), ...sources, ...columns.slice(named)];
  const cellsOf = (step: Step | undefined): string[] => {
    const figures = step === undefined ? { missing: "not measured" } : figuresOf(step);
    return "missing" in figures
      ? [code(figures.missing), ...Array(columns.length - named - 1).fill("")]
      : figures;
  };
  const lines = steps.slice(0, maxSteps).flatMap((step) => {
    const name = nameOf(step);
    if (base === undefined) return [[...name, ...cellsOf(step)]];
    const same = base.find((other) => isSame(step, other));
    return [
      [...name, "head", ...cellsOf(step)],
      [...name.map(() => ""), "base", ...cellsOf(same)],
    ];
  });
  const rule = all.map(({ isText = false }) => isText ? ":---" : "---:");
  return [all.map(({ label }) => label), rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

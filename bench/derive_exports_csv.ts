/** Every run as one table: `api/results.csv`, as RFC 4180 has it. */
import { csvColumns } from "./derive_exports_columns.ts";
import type { ApiRun } from "./derive_exports_schema.ts";

/** Returns the line of names. */
export function csvHeader(): string {
  return lineOf(csvColumns.map(({ name }) => name));
}

/** Returns the lines of a run. */
export function csvLines(run: ApiRun): string {
  return run.impls.flatMap((impl) =>
    impl.levels.map((level) =>
      lineOf(csvColumns.map(({ value }) => String(value({ run, impl, level }) ?? "")))
    )
  ).join("");
}

function lineOf(fields: string[]): string {
  return fields.map(quote).join(",") + "\r\n";
}

/** RFC 4180, section 2, rules 6 and 7. */
function quote(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

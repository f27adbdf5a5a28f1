/** Every run as one table, `api/results.csv`, by RFC 4180. */
import { stringify } from "@std/csv";
import { csvColumns } from "./columns.ts";
import type { CsvRow } from "./csv_column.ts";
import type { ApiImpl, ApiRun } from "./schema.ts";

/** Returns the line of names. */
export function csvHeader(): string {
  return stringify([csvColumns.map(({ name }) => name)]);
}

/** Returns the lines of a run. */
export function csvLines(run: ApiRun): string {
  return stringify(
    run.impls.flatMap((impl) =>
      partsOf(impl).map((part) => csvColumns.map(({ value }) => value({ run, impl, ...part })))
    ),
  );
}

/** Returns what each row of an implementation is about. */
function partsOf(
  { levels, bursts = [], deliveries = [] }: ApiImpl,
): Omit<CsvRow, "run" | "impl">[] {
  const parts = [
    ...levels.map((level) => ({ level })),
    ...bursts.map((burst) => ({ burst })),
    ...deliveries.map((delivery) => ({ delivery })),
  ];
  // One that failed before any step has its status.
  return parts.length === 0 ? [{}] : parts;
}

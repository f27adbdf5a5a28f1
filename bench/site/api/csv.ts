/** Every run as one table, `api/results.csv`, by RFC 4180. */
import { stringify } from "@std/csv";
import { csvColumns } from "./columns.ts";
import type { ApiRun } from "./schema.ts";

/** Returns the line of names. */
export function csvHeader(): string {
  return stringify([csvColumns.map(({ name }) => name)]);
}

/** Returns the lines of a run. */
export function csvLines(run: ApiRun): string {
  return stringify(
    run.impls.flatMap((impl) =>
      impl.levels.map((level) => csvColumns.map(({ value }) => value({ run, impl, level })))
    ),
  );
}

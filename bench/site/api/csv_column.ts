/** What a row of `api/results.csv` is about, and what its columns are. */
import type { z } from "zod";
import type { ApiBurst, ApiDelivery, ApiImpl, ApiLevel, ApiRun } from "./schema.ts";

/** What a row is about: a level, or a step of what a scenario has in place of levels. */
export interface CsvRow {
  run: ApiRun;
  impl: ApiImpl;
  level?: ApiLevel;
  burst?: ApiBurst;
  delivery?: ApiDelivery;
}

/** A column: `data/columns.json` has all of them, in their order. */
export interface CsvColumn {
  name: string;
  /** Its content, with the unit. */
  description: string;
  value(row: CsvRow): string | number | boolean | undefined;
}

/** What columns of an implementation, not of a level or step, have in their description. */
export const repeated = "repeated at each level and step";

/** Returns what the schema says of a key, for the column of its figure. */
export function descriptionOf({ description }: z.ZodType): string {
  if (description === undefined) {
    throw new RangeError("descriptionOf() needs a key that its schema describes");
  }
  return description;
}

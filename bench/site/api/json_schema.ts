import { z } from "zod";
import { apiIndexSchema, apiRunSchema, apiVersion } from "./schema.ts";

/** Returns the JSON Schema of the files below `api/`, as text: of a run, or of the list of runs. */
export function apiSchemaJson(): string {
  const files = z.union([apiRunSchema.meta({ id: "run" }), apiIndexSchema.meta({ id: "index" })]);
  // The input schema, because readers must accept additional keys.
  const schema = z.toJSONSchema(files, { io: "input" });
  return JSON.stringify(
    { title: `Backbench, data for other programs, version ${apiVersion}`, ...schema },
    null,
    2,
  ) + "\n";
}

import { z } from "zod";
import { apiIndexSchema, apiRunSchema, apiVersion } from "./schema.ts";

/** Returns the JSON Schema of the files below `api/`, as text: of a run, or of the list of runs. */
export function apiSchemaJson(): string {
  const files = z.union([apiRunSchema.meta({ id: "run" }), apiIndexSchema.meta({ id: "index" })]);
  // Readers must accept additional keys, also in what results, which have no others, define.
  const schema = z.toJSONSchema(files, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return JSON.stringify(
    { title: `Backbench, data for other programs, version ${apiVersion}`, ...schema },
    null,
    2,
  ) + "\n";
}

import { z } from "zod";
import { apiIndexSchema, apiRunSchema, apiVersion } from "./schema.ts";

/** Returns the JSON Schema of the files below `api/`, as text: of a run, or of the list of runs. */
export function apiSchemaJson(): string {
  // The input schemas, because readers must accept additional keys.
  const [run, index] = [apiRunSchema, apiIndexSchema].map((schema) =>
    z.toJSONSchema(schema, { io: "input" })
  );
  const { $schema, ...ofRun } = run!;
  const { $schema: _, ...ofIndex } = index!;
  return JSON.stringify(
    {
      $schema,
      title: `Backbench, data for other programs, version ${apiVersion}`,
      oneOf: [{ $ref: "#/$defs/run" }, { $ref: "#/$defs/index" }],
      $defs: { run: ofRun, index: ofIndex },
    },
    null,
    2,
  ) + "\n";
}

import { join } from "@std/path";
import { z } from "zod";
import { noiseFileSchema } from "./files_schema.ts";
import { resultSchema, schemaVersion } from "./result_schema.ts";
import { writeAtomically } from "../lib/write_atomically.ts";

/** Returns the JSON Schema of a result, as text. */
export function jsonSchema(): string {
  return JSON.stringify(
    { title: `Backbench result, version ${schemaVersion}`, ...z.toJSONSchema(resultSchema) },
    null,
    2,
  ) + "\n";
}

/** Returns the JSON Schema of a measurement of noise, as text. */
export function noiseJsonSchema(): string {
  return JSON.stringify(
    { title: `Backbench noise, version ${schemaVersion}`, ...z.toJSONSchema(noiseFileSchema) },
    null,
    2,
  ) + "\n";
}

/** Returns where the site publishes the schema. */
export function jsonSchemaPath(root: string): string {
  return join(root, "site", "static", "schemas", `result-v${schemaVersion}.json`);
}

/** Writes the schema for the site, and returns its path. */
export async function writeJsonSchema(root: string): Promise<string> {
  const path = jsonSchemaPath(root);
  await writeAtomically(path, jsonSchema());
  return path;
}

import { assertEquals } from "@std/assert";
import { jsonSchema, jsonSchemaPath } from "./json_schema.ts";
import { repositoryRoot } from "../lib/repository_root.ts";

Deno.test("the published JSON Schema is that of the code: `just schema` writes it anew", async () => {
  assertEquals(await Deno.readTextFile(jsonSchemaPath(repositoryRoot)), jsonSchema());
});

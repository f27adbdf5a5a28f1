import { assertEquals } from "@std/assert";
import { splitStatements } from "../../database/sql.ts";
import { readSeed } from "./seed.ts";

Deno.test("splitStatements() splits seed.sql where a line ends with a semicolon", async () => {
  const statements = splitStatements(await readSeed());
  assertEquals(statements.length, 4);
  assertEquals(statements[1], "DROP TABLE IF EXISTS users");
});

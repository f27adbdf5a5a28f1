import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { userColumns } from "./user_rows.ts";
import { checkNames } from "../../testing/check_names.ts";
import { contract } from "./contract.ts";
import { refusals, unknownEmails } from "./forged_tokens.ts";

const read = (path: string) => Deno.readTextFile(new URL(path, import.meta.url));

Deno.test("the contract names every check that the code makes, once, and no other", async () => {
  const named = contract.rules.flatMap(({ checks }) => checks);
  const forged = [...refusals("", "", ""), ...unknownEmails("")].map(({ check }) => check);
  assertEquals(
    named.toSorted(),
    [...new Set([...await checkNames(contract.id), ...forged])].sort(),
  );
});

Deno.test("the contract has the table that is seeded, and the keys in its order", async () => {
  const { table, rules } = contract;
  const seed = await read("../../../seed.sql");
  const definition = seed.match(/CREATE TABLE users \(([^;]+)\)/)?.[1] ?? "";
  assertEquals(
    table.columns.map(({ name, type, role }) =>
      `${name} ${type}${role === "primary key" ? " PRIMARY KEY" : ""}`
    ),
    definition.split("\n").slice(1, -1).map((line) => line.trim().replace(/,$/, "")),
  );
  assertEquals(table.columns.map(({ name }) => name), [...userColumns]);
  assert(table.columns.length > 1);
  const { answer } = rules[0]!;
  assertStringIncludes(answer, userColumns.join(", ").replace(/, (\w+)$/, " and $1"));
});

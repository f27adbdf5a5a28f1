import { assertEquals, assertStringIncludes } from "@std/assert";
import { checkNames } from "../../testing/check_names.ts";
import { contract } from "./contract.ts";
import { tableSql } from "./table.ts";
import { recordOf } from "./visits.ts";

Deno.test("the contract names every check that the code makes, once, and no other", async () => {
  const named = contract.rules.flatMap(({ checks }) => checks);
  assertEquals(named.toSorted(), await checkNames(contract.id));
});

Deno.test("the contract has the keys of an answer in their order, and they are columns of the table", () => {
  const record = recordOf({ id: 1, user: "u", page: "p", text: "t" });
  const keys = Object.keys(JSON.parse(new TextDecoder().decode(record)));
  const { answer } = contract.rules[0]!;
  assertStringIncludes(answer, keys.join(", ").replace(/, (\w+)$/, " and $1"));
  assertEquals(contract.table.columns.map(({ name }) => name), [...keys, "account"]);
  assertStringIncludes(tableSql(), "CREATE TABLE visits (\n  id bigint NOT NULL AUTO_INCREMENT");
});

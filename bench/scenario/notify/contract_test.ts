import { assertEquals } from "@std/assert";
import { checkNames } from "../../testing/check_names.ts";
import { contract } from "./contract.ts";

Deno.test("the contract names every check that the code makes, once, and no other", async () => {
  const named = contract.rules.flatMap(({ checks }) => checks);
  assertEquals(named.toSorted(), await checkNames(contract.id));
});

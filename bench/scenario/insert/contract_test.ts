import { assertEquals, assertStringIncludes } from "@std/assert";
import { contract } from "./contract.ts";
import { tableSql } from "./table.ts";
import { recordOf } from "./visits.ts";

const sources = [
  "answers.ts",
  "killed.ts",
  "../checks.ts",
  "../outage.ts",
  "../verify.ts",
];

/** Where a check is given its name: as a property, as a first argument. */
const naming = /(?:check(?:: | = )|(?:addAndLook|judgeAdded)\()["`]([^"`]+)["`]/g;

Deno.test("the contract names every check that the code makes, once, and no other", async () => {
  const made = new Set<string>();
  for (const source of sources) {
    const text = await Deno.readTextFile(new URL(source, import.meta.url));
    for (const [, name = ""] of text.matchAll(naming)) {
      made.add(name.replace("${burstSize}", text.match(/const burstSize = (\d+);/)?.[1] ?? ""));
    }
  }
  const named = contract.rules.flatMap(({ checks }) => checks);
  assertEquals(named.toSorted(), [...made].sort());
});

Deno.test("the contract has the keys of an answer in their order, and they are columns of the table", () => {
  const record = recordOf({ id: 1, user: "u", page: "p", text: "t" });
  const keys = Object.keys(JSON.parse(new TextDecoder().decode(record)));
  const { answer } = contract.rules[0]!;
  assertStringIncludes(answer, keys.join(", ").replace(/, (\w+)$/, " and $1"));
  assertEquals(contract.table.columns.map(({ name }) => name), [...keys, "account"]);
  assertStringIncludes(tableSql(), "CREATE TABLE visits (\n  id bigint NOT NULL AUTO_INCREMENT");
});

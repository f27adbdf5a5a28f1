import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { userColumns } from "./user_rows.ts";
import { contract } from "./contract.ts";
import { refusals, unknownEmails } from "./forged_tokens.ts";

const sources = [
  "answers.ts",
  "counts.ts",
  "expiry.ts",
  "../outage.ts",
  "known_users.ts",
  "unusual_requests.ts",
  "../checks.ts",
  "../verify.ts",
];

/** Where a check is given its name: as a property, as a first argument, as the kind of a user. */
const naming =
  /(?:check(?:: | = )|kind: |check(?:User|Record|Status)?\(|judge(?:Record|Status|Unusual)\(\s*|special\.set\()["`]([^"`]+)["`]/g;

const read = (path: string) => Deno.readTextFile(new URL(path, import.meta.url));

Deno.test("the contract names every check that the code makes, once, and no other", async () => {
  const made = new Set<string>();
  for (const source of sources) {
    const text = await read(source);
    for (const [, name = ""] of text.matchAll(naming)) {
      const constant = name.match(/\$\{(\w+)\}/)?.[1];
      const value = text.match(new RegExp(`const ${constant} = (\\w+);`))?.[1] ?? "";
      made.add(name.replace(/\$\{\w+\}/, value));
    }
  }
  for (const { check } of [...refusals("", "", ""), ...unknownEmails("")]) made.add(check);
  const named = contract.rules.flatMap(({ checks }) => checks);
  assertEquals(named.toSorted(), [...made].sort());
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

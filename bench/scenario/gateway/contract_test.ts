import { assertEquals } from "@std/assert";
import { contract } from "./contract.ts";

Deno.test("the contract names every check that the code makes, once, and no other", async () => {
  const made = new Set<string>();
  for (const source of ["answers.ts", "faults.ts", "../checks.ts", "../verify.ts"]) {
    const text = await Deno.readTextFile(new URL(source, import.meta.url));
    const names = /(?:check(?:: | = )|(?:judge|untilRight|check)\((?:\s*means,)?)\s*["`]([^"`]+)/g;
    for (const [, name = ""] of text.matchAll(names)) {
      made.add(name.replace("${burstSize}", text.match(/const burstSize = (\d+);/)?.[1] ?? ""));
    }
  }
  const named = contract.rules.flatMap(({ checks }) => checks);
  assertEquals(named.toSorted(), [...made].sort());
});

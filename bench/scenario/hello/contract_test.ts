import { assertEquals } from "@std/assert";
import { contract } from "./contract.ts";

Deno.test("the contract names every check that the code makes, once, and no other", async () => {
  const made = new Set<string>();
  for (const source of ["mod.ts", "../checks.ts", "../verify.ts"]) {
    const text = await Deno.readTextFile(new URL(source, import.meta.url));
    for (const [, name = ""] of text.matchAll(/(?:check(?:: | = )|judgeAnswer\()["`]([^"`]+)/g)) {
      made.add(name.replace("${burstSize}", text.match(/const burstSize = (\d+);/)?.[1] ?? ""));
    }
  }
  const named = contract.rules.flatMap(({ checks }) => checks);
  assertEquals(named.toSorted(), [...made].sort());
});

import { assertEquals } from "@std/assert";
import { marksWith } from "./marks.ts";

const resultsOf = (...ids: string[]) => ids.map((id) => ({ impl: { id } }));

Deno.test("marksWith() lets everyone keep its number, and numbers who comes later behind them", () => {
  const first = marksWith(new Map(), resultsOf("go", "rust"));
  assertEquals([...first], [["go", 0], ["rust", 1]]);
  assertEquals([...marksWith(first, resultsOf("bun", "rust"))], [["go", 0], ["rust", 1], [
    "bun",
    2,
  ]]);
});

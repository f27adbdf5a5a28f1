import { assertEquals } from "@std/assert";
import { bracketsOf } from "./brackets.ts";

Deno.test("bracketsOf() joins tied rows, and gives groups that overlap a column each", () => {
  const rows = ["a", "b", "c", "d"];
  assertEquals(bracketsOf(rows, [["a", "b"], ["c", "d"]]), [["start"], ["end"], ["start"], [
    "end",
  ]]);
  assertEquals(bracketsOf(rows, [["a", "b", "c"], ["b", "c", "d"]]), [
    ["start", "none"],
    ["inside", "start"],
    ["end", "inside"],
    ["none", "end"],
  ]);
});

Deno.test("bracketsOf() shows a row between tied ones that is not tied with them", () => {
  assertEquals(bracketsOf(["a", "b", "c"], [["a", "c"], ["b"]]), [["start"], ["beside"], ["end"]]);
});

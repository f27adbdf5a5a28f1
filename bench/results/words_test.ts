import { assertEquals } from "@std/assert";
import { intervalText, list, proseNames, ratioText } from "./words.ts";

Deno.test("ratioText() has two digits, and more where an end would fall on 1", () => {
  assertEquals([1.62, 12.34, 0.456, 120].map((value) => ratioText(value)), [
    "1.6",
    "12",
    "0.46",
    "120",
  ]);
  assertEquals([1.012, 0.996, 1.0004, 1].map((value) => ratioText(value)), [
    "1.01",
    "0.996",
    "1.000",
    "1.0",
  ]);
});

Deno.test("intervalText() has both ends, and the confidence once", () => {
  assertEquals(intervalText({ low: 1.36, high: 2.153 }), "95 %: 1.4–2.2");
  assertEquals(intervalText({ low: 1.012, high: 1.048 }), "95 %: 1.01–1.05");
});

Deno.test("list() is what a sentence has", () => {
  assertEquals(list([10]), "10");
  assertEquals(list([10, 50, 100]), "10, 50, and 100");
});

Deno.test("proseNames() has no comma, and no more of a name than tells it apart", () => {
  const names = [
    "Go, net/http",
    "Spring MVC, virtual threads",
    "Spring MVC, platform threads",
    "Koa",
  ];
  assertEquals([...proseNames(names).values()], [
    "Go",
    "Spring MVC (virtual threads)",
    "Spring MVC (platform threads)",
    "Koa",
  ]);
  assertEquals(proseNames(["Go, net/http", "Go, net/http"]).get("Go, net/http"), "Go");
});

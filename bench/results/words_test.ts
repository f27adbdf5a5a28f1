import { assertEquals } from "@std/assert";
import { intervalText, list, proseNames, ratioText, ratioTexts, timesText } from "./words.ts";

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
    "1.0004",
    "1.0",
  ]);
});

Deno.test("intervalText() has both ends, and the confidence once", () => {
  assertEquals(intervalText({ estimate: 1.71, low: 1.36, high: 2.153 }), "95 %: 1.4–2.2");
  assertEquals(intervalText({ estimate: 1.03, low: 1.012, high: 1.048 }), "95 %: 1.01–1.05");
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
  assertEquals([...proseNames(["Spring MVC, RestTemplate", "Koa"], { isWhole: true }).values()], [
    "Spring MVC (RestTemplate)",
    "Koa",
  ]);
});

Deno.test("ratioTexts() gives an estimate and both ends as many decimals, so that none is hidden", () => {
  const textsOf = (estimate: number, low: number, high: number) =>
    Object.values(ratioTexts({ estimate, low, high }));
  assertEquals(textsOf(1.052, 1.016, 1.091), ["1.05", "1.02–1.09"]);
  assertEquals(textsOf(1.71, 1.36, 2.153), ["1.7", "1.4–2.2"]);
  assertEquals(textsOf(0.52, 0.496, 0.541), ["0.52", "0.50–0.54"]);
  assertEquals(textsOf(12, 9.53, 15.1), ["12.0", "9.5–15.1"]);
  assertEquals(textsOf(1234, 1100, 1400), ["1,234", "1,100–1,400"]);
  // Whoever is faster has no interval that touches 1, and one that has 1 in it may.
  assertEquals(textsOf(1.219, 1.0002, 1.486), ["1.219", "> 1.000–1.486"]);
  assertEquals(textsOf(0.9, 0.81, 0.99996), ["0.900", "0.810–< 1.000"]);
  assertEquals(textsOf(1.0004, 1.0001, 1.0007), ["> 1.000", "> 1.000–1.001"]);
  assertEquals(textsOf(1.1, 0.9999, 1.21), ["1.100", "1.000–1.210"]);
});

Deno.test("timesText() names the estimate, and of a bound the end of the interval that is known", () => {
  const ratio = { estimate: 1.361, low: 1.284, high: 1.442 };
  assertEquals(timesText(ratio), "1.4 times");
  assertEquals(timesText(ratio, "at least"), "at least 1.28 times");
  assertEquals(timesText(ratio, "at most"), "at most 1.44 times");
});

import { assert, assertEquals } from "@std/assert";
import { columnKeys, hasWords, orderOf, parseSort, sortValue } from "../assets/table_order.js";

Deno.test("sortValue() reads the first number of a cell, and nothing from one without", () => {
  assertEquals(sortValue("at least 12,345", true), 12345);
  assertEquals(sortValue("1.234 to 1.500", true), 1.234);
  assertEquals(sortValue("-0.5 %", true), -0.5);
  assertEquals(sortValue("–absent", true), undefined);
  assertEquals(sortValue("not measured", true), undefined);
  assertEquals(sortValue(" 20260105T000000Z ", false), "20260105T000000Z");
});

Deno.test("orderOf() puts what is absent last in either direction, and keeps ties in order", () => {
  const values = [2, undefined, 10, 2];
  assertEquals(orderOf(values, "asc"), [0, 3, 2, 1]);
  assertEquals(orderOf(values, "desc"), [2, 0, 3, 1]);
  assertEquals(orderOf(["b", "a10", "a9", "A1"], "asc"), [3, 2, 1, 0]);
});

Deno.test("parseSort() finds the column that the address names, by its key or its label", () => {
  const keys = columnKeys([
    { label: "Implementation " },
    { label: "CPU ", unit: "s" },
    { label: "CPU ", unit: "µs/answer" },
    { label: "p99.9", key: "p999" },
  ]);
  assertEquals(keys, ["implementation", "cpu-s", "cpu-µs-answer", "p999"]);
  assertEquals(parseSort("cpu-s.desc", keys), { column: 1, direction: "desc" });
  for (const text of ["", "cpu-s", "cpu-s.up", "other.asc"]) {
    assertEquals(parseSort(text, keys), undefined);
  }
});

Deno.test("hasWords() wants every word, in any case and order, from its beginning", () => {
  assert(hasWords("50 connections Deno, Koa", "deno 50"));
  assert(!hasWords("150 connections Deno, Koa", "deno 50"));
  assert(hasWords("Rust, Actix Web", "web RUST"));
  assert(!hasWords("Rust, Actix Web", "rust deno"));
  assert(hasWords("Rust", ""));
});

import { assertEquals } from "@std/assert";
import type { Result } from "../results/result_schema.ts";
import { exampleResult } from "../testing/example_result.ts";
import { roundTripsFacts } from "./round_trips.ts";

/** Makes the result of one whose requests take so many round trips to the database at 10 connections. */
function resultOf(name: string, pingsPerRequest: number): Result {
  const { levels: [level], impl, ...rest } = exampleResult();
  const { queries } = level!.repetitions.at(-1)!.observation!;
  Object.assign(queries!, { perRequest: 0.99, expectedPerRequest: 0.99, pingsPerRequest });
  return { ...rest, impl: { ...impl, name }, levels: [level!] };
}

Deno.test("roundTripsFacts() names those who ask the database more often, the most first", () => {
  const [level] = exampleResult().levels;
  const { connections } = level!;
  const results = [
    resultOf("Go, net/http", 0.01),
    resultOf("Rust, actix-web", 0.98),
    resultOf("Java, Spring WebFlux", 1.98),
    resultOf("Python, Starlette", 0.99),
  ];
  assertEquals(roundTripsFacts(results, connections), [
    "round trips to the database per request: Java 3, Python and Rust 2, Go 1",
  ]);
  const uncounted = resultOf("PHP, Laravel", 0);
  uncounted.levels = [];
  assertEquals(roundTripsFacts([...results, uncounted], connections), [
    "round trips to the database per request: Java 3, Python and Rust 2, Go 1",
  ]);
  assertEquals(roundTripsFacts(results.slice(0, 1), connections), []);
  assertEquals(roundTripsFacts(results, connections + 1), []);
});

import { assertEquals } from "@std/assert";
import { exampleResult } from "../../testing/example_result.ts";
import type { Result } from "../../results/result_schema.ts";
import { reproductionsOf } from "./reproductions.ts";

const levels = [10, 50];
const articles = {
  one: {
    ...{ title: "One against the other", setting: "a laptop" },
    reproductions: [
      { impl: "deno", scenario: "jwt-mysql" as const, levels, requests: 500_000, pool: 1 },
      { impl: "rust", scenario: "jwt-mysql" as const, levels, requests: 500_000, pool: 300 },
    ],
  },
  two: { title: "Of no counts", setting: "a desktop" },
};

/** A load of 2.5 s at the first level, whose number of right answers decides the rate; none at the second. */
function measured(id: string, runId: string, correct: number, reproduces = "one"): Result {
  const result = exampleResult();
  const [level] = result.levels;
  const [repetition] = level!.repetitions;
  const figures = { ...repetition!.figures!, goodputPerSecond: correct / 2.5 };
  return {
    ...result,
    runId,
    impl: { ...result.impl, id, name: id === "deno" ? "Deno" : "Rust, Actix Web" },
    plan: {
      ...result.plan,
      ...{ levels, requests: 500_000, poolMax: id === "deno" ? 1 : 300, reproduces },
    },
    levels: [{ connections: 10, repetitions: [{ ...repetition!, figures }] }],
  };
}

Deno.test("reproductionsOf() shows the newest cold load of each side, and divides none by another", () => {
  const newest = [measured("rust", "newest", 25_000), measured("deno", "newest", 10_000)];
  const others = [measured("deno", "older", 1), measured("rust", "another", 1, "two")];
  const [{ sides, levels, ...rest }, ...more] = reproductionsOf({ articles }, [
    ...newest,
    ...others,
  ]) as [ReturnType<typeof reproductionsOf>[0]];
  assertEquals([rest.title, more], ["One against the other", []]);
  assertEquals(sides.map(({ name, run }) => [name, run]), [["Deno", "newest"], ["Rust", "newest"]]);
  const [ofDeno, ofRust] = sides.map(({ setting }) => setting.split(", ").slice(0, 2).join(", "));
  assertEquals(ofDeno, "500,000 requests at each level, 1 connection to the database");
  assertEquals(ofRust, "500,000 requests at each level, 300 connections to the database");
  assertEquals(levels.map(({ connections }) => connections), ["10", "50"]);
  assertEquals(
    levels[0]!.text,
    "Deno 4,000 per second; Rust 10,000 per second",
  );
  assertEquals(/^Deno: .+; Rust: .+$/.test(levels[1]!.text), true, levels[1]!.text);
});

Deno.test("reproductionsOf() has the commands of what was not measured", () => {
  const [reproduction] = reproductionsOf({ articles }, []);
  assertEquals([reproduction!.sides, reproduction!.levels], [[], []]);
  assertEquals(
    reproduction!.commands[0],
    [
      "npx rust-just bench deno --levels 10,50 --requests 500000 --warm-up 1000 --pool 1",
      "--reproduces one",
    ].join(" "),
  );
});

import { assertEquals } from "@std/assert";
import { makePlan } from "./plan.ts";
import { repeatCommand } from "./repeat_command.ts";

Deno.test("repeatCommand() names the profile, or every count of a custom plan", () => {
  assertEquals(
    repeatCommand("deno", "jwt-mysql", makePlan("quick", {}, 7)),
    "npx rust-just bench deno quick",
  );
  assertEquals(
    repeatCommand("deno", "jwt-mysql", makePlan("smoke", { levels: [50, 10], poolMax: 8 }, 7)),
    "npx rust-just bench deno --levels 10,50 --requests 2000 --warm-up 1000 --pool 8",
  );
});

Deno.test("repeatCommand() names a scenario that is not the default one", () => {
  assertEquals(
    repeatCommand("deno", "hello", makePlan("quick", {}, 7)),
    "npx rust-just bench deno --scenario hello quick",
  );
});

Deno.test("repeatCommand() names the article that a plan reproduces", () => {
  const plan = { ...makePlan("full", { levels: [10], poolMax: 1 }, 7), reproduces: "deno-rust" };
  assertEquals(
    repeatCommand("deno", "jwt-mysql", plan),
    "npx rust-just bench deno --levels 10 --requests 500000 --warm-up 1000 --pool 1 --reproduces deno-rust",
  );
});

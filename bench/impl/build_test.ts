import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { buildImpl } from "./build.ts";
import type { Impl } from "./impl.ts";
import { BenchError } from "../lib/error.ts";
import { noToolchain as toolchain } from "./toolchains.ts";
import { evaluate } from "../testing/evaluate.ts";

const ofJob = {
  GITHUB_ENV: "env",
  GITHUB_PATH: "path",
  GITHUB_OUTPUT: "output",
  GITHUB_STEP_SUMMARY: "summary",
  ACTIONS_RUNTIME_TOKEN: "secret",
  DATABASE_URL: "mysql://root:secret@127.0.0.1/backbench",
};

/** Returns an implementation that a shell's script builds. */
function builtBy(script: string, folder: string, requires: Record<string, string> = {}): Impl {
  const manifest = {
    ...{ name: "Example", language: "Shell", runtime: "sh", framework: "none" },
    ...{ website: "https://example.org", class: "standard" as const, requires },
    ...{ scenarios: ["hello"], build: ["sh", "-c", script], start: ["true"] },
  };
  return { id: "example", folder, manifest, needs: [] };
}

/** Builds by a shell's script, in a folder of its own and the environment of a job; returns what it left in `found`. */
async function build(script: string): Promise<string> {
  const folder = await Deno.makeTempDir();
  const impl = builtBy(script, folder);
  const [implText, toolchainText] = [impl, toolchain].map((value) => JSON.stringify(value));
  const options =
    `{ toolchain: ${toolchainText}, launcher: undefined, signal: AbortSignal.timeout(10_000) }`;
  try {
    await evaluate(`module.buildImpl(${implText}, ${options})`, {
      env: ofJob,
      module: import.meta.resolve("./build.ts"),
    });
    return (await Deno.readTextFile(join(folder, "found"))).trim();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a build is told nothing of the job that it runs in: no token, no file that later steps read", async () => {
  assertEquals(await build("env | grep -E 'GITHUB_|ACTIONS_|DATABASE_' > found; true"), "");
  assertEquals(await build('echo x >> "$GITHUB_ENV" 2> /dev/null || echo none > found'), "none");
});

Deno.test("buildImpl() refuses a build that changes the lock file, or makes one: results name what stood there", async () => {
  const folder = await Deno.makeTempDir();
  const lock = join(folder, "Cargo.lock");
  const buildBy = (script: string) =>
    buildImpl(builtBy(script, folder, { rust: "*" }), {
      ...{ toolchain, launcher: undefined, signal: AbortSignal.timeout(10_000) },
    });
  const refusal =
    'Cannot use the build of "example": it changed Cargo.lock, expected the versions that stand there';
  try {
    await assertRejects(() => buildBy("echo new > Cargo.lock"), BenchError, refusal);
    await Deno.writeTextFile(lock, "old\n");
    await buildBy("echo old > Cargo.lock");
    await assertRejects(() => buildBy("echo new >> Cargo.lock"), BenchError, refusal);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

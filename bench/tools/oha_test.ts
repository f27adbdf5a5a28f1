import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { silent } from "../lib/report.ts";
import { rustFolder } from "../lib/rust_release.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { keepOha } from "./oha.ts";
import { writeProgram } from "../testing/write_program.ts";

Deno.test("keepOha() builds with the release of Rust that the repository pins: rustup goes by the folder", async () => {
  await using folder = await temporaryFolder();
  const [bin, source, cache] = ["bin", "oha", "cache"].map((name) => join(folder.path, name));
  await Deno.mkdir(bin!);
  await Deno.mkdir(source!);
  const add = (name: string, lines: string[]) => {
    const text = ["#!/bin/sh", "said=${0%/*}/said", ...lines].join("\n");
    return writeProgram(join(bin!, name), `${text}\n`);
  };
  await add("git", ["exit 0"]);
  await add("rustc", ['echo "rustc $1 in $(pwd)" >>"$said"', "echo x86_64-unknown-linux-gnu"]);
  await add("cargo", [
    'echo "cargo $1 in $(pwd)" >>"$said"',
    "case $1 in",
    `metadata) echo '{"packages":[{"name":"oha","manifest_path":"${source}/Cargo.toml"}]}' ;;`,
    'tree) echo "oha v1" ;;',
    "install)",
    '  while [ "$1" != --root ]; do shift; done',
    '  mkdir -p "$2/bin" && echo built >"$2/bin/oha" ;;',
    "esac",
  ]);
  const env = { PATH: `${bin}:${Deno.env.get("PATH")}`, BACKBENCH_CACHE: cache! };
  const { signal } = new AbortController();
  const path = await keepOha({ report: silent, signal, env });
  assertEquals(await Deno.readTextFile(path), "built\n");
  const root = await Deno.realPath(rustFolder);
  assertEquals(
    (await Deno.readTextFile(join(bin!, "said"))).trim().split("\n"),
    ["rustc -vV", "rustc --print", "cargo metadata", "cargo tree", "cargo install"].map((it) =>
      `${it} in ${root}`
    ),
  );
  await Deno.stat(join(root, "rust-toolchain.toml"));
});

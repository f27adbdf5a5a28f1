import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { readRustRelease } from "./rust_release.ts";
import { writeProgram } from "../testing/write_program.ts";

Deno.test("readRustRelease() is what the compiler says without rustup, and what is pinned with it", async () => {
  await using folder = await temporaryFolder();
  const env = { PATH: folder.path };
  const channel = 'channel = "';
  assertStringIncludes(await readRustRelease(env), channel);

  const add = (name: string, line: string) =>
    writeProgram(join(folder.path, name), `#!/bin/sh\n${line}\n`);
  await add("rustc", 'echo "rustc 1.88.0, asked with $*"');
  assertEquals(await readRustRelease(env), "rustc 1.88.0, asked with -vV\n");
  // A shim without a toolchain.
  await add("rustc", "exit 1");
  assertStringIncludes(await readRustRelease(env), channel);

  await add("rustc", "echo rustc of another release, or a download");
  await add("rustup", "exit 0");
  assertStringIncludes(await readRustRelease(env), channel);
});

/** The mysqld on PATH, which comes before the packages: here, a script that runs theirs. */
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { silent } from "../lib/report.ts";
import { allData } from "../scenario/list.ts";
import { packagesOnly } from "../testing/server.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { openDatabase } from "./open.ts";
import { keepPackages, unpackedProgram } from "./packages.ts";
import { writeProgram } from "../testing/write_program.ts";

const sql = await allData();
const { signal } = new AbortController();

/** A program "mysqld" in a folder, which runs `first`, a line of shell, and then the unpacked server. */
async function writeMysqld(folder: string, first: string): Promise<void> {
  const root = await keepPackages({ env: packagesOnly(), report: silent, signal });
  const { command } = await unpackedProgram(root, signal);
  const words = command.map((word) => `'${word}'`).join(" ");
  // Ours starts with --no-defaults, and so does the command.
  const script = `#!/bin/sh\n${first}\nshift\nexec ${words} "$@"\n`;
  await writeProgram(join(folder, "mysqld"), script);
}

/** Opens a database where that program is on PATH. */
async function openWith(folder: string, report = silent) {
  const env = { ...packagesOnly(), PATH: `${folder}:/usr/bin:/bin` };
  return await openDatabase({ report, signal, sql, grants: [], folder, env });
}

Deno.test("openDatabase() takes mysqld on PATH before the packages", async () => {
  await using folder = await temporaryFolder();
  await writeMysqld(folder.path, ":");
  await using database = await openWith(folder.path);
  assertEquals(database.provider, "mysqld");
});

Deno.test("openDatabase() tries another port when the first was taken meanwhile", async () => {
  await using folder = await temporaryFolder();
  // Nobody can be made to take the port at the right moment: the first start says what mysqld would.
  await writeMysqld(
    folder.path,
    `case "$*" in *--init-file*) [ -e "$0.tried" ] || {
       touch "$0.tried"; echo "Bind on TCP/IP port: Address already in use"; exit 1; } ;; esac`,
  );
  await using database = await openWith(folder.path);
  assertEquals(database.provider, "mysqld");
});

Deno.test("openDatabase() goes on to the packages when mysqld dies", async () => {
  await using folder = await temporaryFolder();
  await writeMysqld(
    folder.path,
    'case "$*" in *--init-file*) echo "No luck today"; exit 3 ;; esac',
  );
  const lines: string[] = [];
  const report = { ...silent, line: (text: string) => void lines.push(text) };
  await using database = await openWith(folder.path, report);
  assertEquals(database.provider, "packages");
  assertEquals(lines, [
    "Cannot start MySQL: it ended with exit code 3, expected it to answer; trying the next provider",
  ]);
});

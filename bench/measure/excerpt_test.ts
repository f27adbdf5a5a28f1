import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { RunBroken } from "../lib/error.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { advance, takeExcerpt } from "./excerpt.ts";

/** Lines of other lengths, some longer than what is read at a time. */
const textOf = (line: number) => `{"line":${line}${" ".repeat(line % 7 === 0 ? 70_000 : line)}}`;

async function writeFile(folder: string) {
  const path = join(folder, "requests.jsonl");
  const text = Array.from({ length: 100 }, (_, line) => `${textOf(line)}\n`).join("");
  await Deno.writeTextFile(path, text);
  return { path, lines: 100, nextLine: 0 };
}

Deno.test("takeExcerpt() gives the next lines, whose numbers are those of the whole file, and after the last the first", async () => {
  await using folder = await temporaryFolder();
  const requests = await writeFile(folder.path);
  for (const first of [0, 40, 50, 75, 99]) {
    requests.nextLine = first;
    const options = { lines: 50, folder: folder.path };
    const { path, firstLine, lineOf } = await takeExcerpt(requests, options);
    assertNotEquals(path, requests.path);
    const lines = (await Deno.readTextFile(path)).split("\n");
    const expected = Array.from({ length: 50 }, (_, line) => (first + line) % 100);
    assertEquals([firstLine, lines.pop(), lines.length], [0, "", 50]);
    assertEquals(Array.from(lines.keys(), lineOf), expected);
    assertEquals(lines.map((line) => JSON.parse(line).line), expected);
  }
});

Deno.test("takeExcerpt() gives the whole file where most of it may be read, or nobody knows how much", async () => {
  await using folder = await temporaryFolder();
  const requests = { ...await writeFile(folder.path), nextLine: 30 };
  for (const lines of [51, 1_000, undefined]) {
    const { path, firstLine, lineOf } = await takeExcerpt(requests, { lines, folder: folder.path });
    assertEquals([path, firstLine, lineOf(31)], [requests.path, 30, 31]);
  }
});

Deno.test("takeExcerpt() gives two loads that begin together the same, and only the owner may read it", async () => {
  await using folder = await temporaryFolder();
  const requests = await writeFile(folder.path);
  const options = { lines: 10, folder: folder.path };
  const first = await takeExcerpt(requests, options);
  const { mode, ino } = await Deno.stat(first.path);
  if (mode !== null) assertEquals(mode & 0o777, 0o600);
  assertEquals(await takeExcerpt(requests, options), first);
  assertEquals((await Deno.stat(first.path)).ino, ino);

  // What still reads the one before must not find others in it.
  using open = await Deno.open(first.path);
  advance(requests, 0, 10, first);
  await takeExcerpt(requests, options);
  const bytes = new Uint8Array(20);
  assert(await open.read(bytes) === 20);
  assertEquals(JSON.parse(`${new TextDecoder().decode(bytes).trim()}}`).line, 0);
});

Deno.test("takeExcerpt() says where it cannot write, and that a file has other lines than it should", async () => {
  await using folder = await temporaryFolder();
  const requests = await writeFile(folder.path);
  await assertRejects(
    () => takeExcerpt(requests, { lines: 10, folder: join(folder.path, "gone") }),
    RunBroken,
    "Cannot copy requests",
  );
  await assertRejects(
    () => takeExcerpt({ ...requests, lines: 101 }, { lines: 10, folder: folder.path }),
    RangeError,
    "has 100 lines, expected 101",
  );
});

const whole = { lines: 100 };

Deno.test("advance() keeps in mind that a load sent lines of its excerpt again", () => {
  const isReadAgain = (linesUsed: number) => {
    const requests: Parameters<typeof advance>[0] = { lines: 100, nextLine: 10 };
    advance(requests, 10, linesUsed, { lines: 30 });
    return requests.isReadToEnd ?? false;
  };
  assertEquals([29, 30, 31].map(isReadAgain), [false, false, true]);
});

Deno.test("advance() moves the cursor behind what was read, and behind the last line to the first", () => {
  const requests: Parameters<typeof advance>[0] = { lines: 100, nextLine: 40 };
  advance(requests, 40, 30, whole);
  assertEquals(requests, { lines: 100, nextLine: 70 });
  advance(requests, 70, 50, whole);
  assertEquals(requests, { lines: 100, nextLine: 20, isReadToEnd: true });
});

Deno.test("advance() moves the cursor behind the load that read more, of two that began together", () => {
  for (const used of [[30, 75], [75, 30]]) {
    const requests = { lines: 100, nextLine: 40 };
    for (const linesUsed of used) advance(requests, 40, linesUsed, whole);
    assertEquals(requests.nextLine, 15);
  }
});

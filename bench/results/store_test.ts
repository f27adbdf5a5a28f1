import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import type { Result } from "./result_schema.ts";
import { onFullDisk } from "../testing/full_disk.ts";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleResult } from "../testing/example_result.ts";
import { exampleHelloRun, exampleRun } from "../testing/example_run.ts";
import {
  listRunIds,
  newRunId,
  parseResult,
  readRun,
  runIdOfAttempt,
  writeResult,
} from "./store.ts";
import { writeAtomically } from "../lib/write_atomically.ts";

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function names(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

Deno.test("runIdOfAttempt() is a minute later for each attempt after the first", () => {
  const id = "20261231T235930Z-1a2b3c4";
  assertEquals([1, 2, 62].map((attempt) => runIdOfAttempt(id, attempt)), [
    id,
    "20270101T000030Z-1a2b3c4",
    "20270101T010030Z-1a2b3c4",
  ]);
});

Deno.test("newRunId() is the UTC start and the short commit", () => {
  const startedAt = new Date("2026-11-21T01:45:00.123Z");
  assertEquals(newRunId(startedAt, "1a2b3c4d5e".padEnd(40, "0")), "20261121T014500Z-1a2b3c4");
});

Deno.test("readRun() returns what writeResult() wrote", () =>
  withFolder(async (folder) => {
    const result = exampleResult();
    const path = await writeResult(folder, result);
    assertEquals(path, join(folder, result.runId, "example.json"));
    assertEquals(await readRun(folder, result.runId), [result]);
    assertEquals(await listRunIds(folder), [result.runId]);
  }));

Deno.test("writeResult() replaces an earlier state and leaves nothing beside it", () =>
  withFolder(async (folder) => {
    const result = exampleResult();
    await writeResult(folder, { ...result, status: "incomplete" });
    await writeResult(folder, result);
    assertEquals(await names(join(folder, result.runId)), ["example.json"]);
  }));

Deno.test("readRun() reads each replica from a file of its own, after the first, and refuses another's number", () =>
  withFolder(async (folder) => {
    const result = exampleResult();
    const replicas = [2, 10].map((replica) => ({ ...result, replica }));
    for (const each of [...replicas, result]) await writeResult(folder, each);
    const run = join(folder, result.runId);
    assertEquals(await names(run), ["example.10.json", "example.2.json", "example.json"]);
    assertEquals(await readRun(folder, result.runId), [result, ...replicas]);
    await Deno.rename(join(run, "example.2.json"), join(run, "example.3.json"));
    await assertRejects(
      () => readRun(folder, result.runId),
      BenchError,
      'example.3.json": it holds "example.2" of run',
    );
  }));

Deno.test("readRun() names the runs there are when it is asked for another", () =>
  withFolder(async (folder) => {
    await assertRejects(
      () => readRun(folder, "20260101T000000Z-fffffff"),
      BenchError,
      ", expected a run, there is none yet",
    );
    await writeResult(folder, exampleResult());
    await assertRejects(
      () => readRun(folder, "20260101T000000Z-fffffff"),
      BenchError,
      "expected one of 20260101T000000Z-0000000",
    );
    await assertRejects(() => readRun(folder, "../etc"), BenchError, "expected a UTC start");
  }));

Deno.test("readRun() rejects a file that holds another implementation than its name says", () =>
  withFolder(async (folder) => {
    const path = await writeResult(folder, exampleResult());
    await Deno.rename(path, join(folder, "20260101T000000Z-0000000", "other.json"));
    await assertRejects(
      () => readRun(folder, "20260101T000000Z-0000000"),
      BenchError,
      'it holds "example"',
    );
  }));

Deno.test("readRun() rejects a run of two scenarios, whose figures would stand in one table", () =>
  withFolder(async (folder) => {
    const [jwt, ...others] = exampleRun(exampleResult().runId);
    const hello = exampleHelloRun(jwt!.runId)[1]!;
    for (const result of [jwt!, hello]) await writeResult(folder, result);
    await assertRejects(
      () => readRun(folder, jwt!.runId),
      BenchError,
      'swift.json": its scenario is "jwt-mysql", expected "hello" as of "even.json": a run measures one',
    );
    for (const result of others) await writeResult(folder, result);
    assertEquals((await readRun(folder, jwt!.runId)).length, 1 + others.length);
  }));

Deno.test("parseResult() names the file and the place of every mistake", () => {
  const read = (change: (data: Record<string, unknown>) => void) => {
    const data: Record<string, unknown> = { ...exampleResult() };
    change(data);
    return () => parseResult(JSON.stringify(data), "run/example.json");
  };
  const reject = (work: () => unknown, message: string) => assertThrows(work, BenchError, message);
  reject(
    () => parseResult('{"schemaVersion": 1,', "run/example.json"),
    'Cannot parse "run/example.json"',
  );
  reject(read((data) => data.extra = 1), 'Unrecognized key: "extra"');
  reject(read((data) => delete data.machine), 'key "machine"');
  reject(read((data) => data.startedAt = "yesterday"), 'key "startedAt"');
  reject(read((data) => data.schemaVersion = 99), "schemaVersion is 99, expected 1");
  reject(read((data) => data.levels = []), "a complete result must have every level of its plan");
  reject(read((data) => data.status = "failed"), "failure must be present exactly where");
});

Deno.test("parseResult() computes what bursts say over rounds from the rounds", () => {
  const [result] = exampleBursts("20260101T000000Z-0000000");
  const stored = structuredClone(result!);
  stored.bursts!.steps[0]!.figures!.failedShare = { mean: 0.5, low: 0.4, high: 0.6 };
  const parsed = parseResult(JSON.stringify(stored), "a.json");
  assertEquals(parsed.bursts!.steps[0]!.figures, result!.bursts!.steps[0]!.figures);
});

Deno.test("parseResult() takes no address that would run in a page, nor an id with markup", () => {
  const parse = (change: Partial<Result["impl"]>) => () => {
    const result = exampleResult();
    return parseResult(
      JSON.stringify({ ...result, impl: { ...result.impl, ...change } }),
      "r.json",
    );
  };
  for (const website of ["javascript:alert(1)", "//evil.example", "data:text/html,x", "x"]) {
    assertThrows(parse({ website }), BenchError, 'key "impl.website"', website);
  }
  for (const id of ["<b>", "../go", "go.2", "Go", "a b", "__proto__", ""]) {
    assertThrows(parse({ id }), BenchError, 'key "impl.id"', id);
  }
  // A name is a text: whoever shows it escapes it.
  assertEquals(parse({ name: "<b>" })().impl.name, "<b>");
});

Deno.test("parseResult() keeps no control character, which no picture or feed may have, and takes no endless name", () => {
  const result = exampleResult();
  const read = (impl: Partial<Result["impl"]>) =>
    parseResult(JSON.stringify({ ...result, impl: { ...result.impl, ...impl } }), "r.json").impl;
  assertEquals(read({ name: "a\u0001b\u009f\uffff" }).name, "a b  ");
  assertEquals(read({ note: "one\n\ttwo é \u2028" }).note, "one\n\ttwo é \u2028");
  assertThrows(() => read({ name: "x".repeat(201) }), BenchError, 'key "impl.name"');
});

Deno.test("parseResult() rejects figures in an invalid repetition", () => {
  const result = exampleResult();
  const [repetition] = result.levels[0]!.repetitions;
  repetition!.validity = { valid: false, reasons: [{ code: "failures", message: "…" }] };
  assertThrows(
    () => parseResult(JSON.stringify(result), "run/example.json"),
    BenchError,
    "figures must be present exactly where the repetition is valid",
  );
});

Deno.test("writeAtomically() keeps what was there when the disk is full", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "result.json");
    await Deno.writeTextFile(path, "before");
    const { stdout } = await onFullDisk(
      folder,
      [
        `import { writeAtomically } from "${new URL(
          "../lib/write_atomically.ts",
          import.meta.url,
        )}";`,
        `await writeAtomically("${path}", "x".repeat(200_000)).catch(({ message }) => console.log(message));`,
        `console.log(Deno.readTextFileSync("${path}"));`,
        `console.log([...Deno.readDirSync("${folder}")].map(({ name }) => name).sort().join());`,
      ].join("\n"),
    );
    assertEquals(
      stdout,
      `Cannot write "${path}": No space left on device (os error 28)\nbefore\n.filler,result.json\n`,
    );
  });
});

Deno.test("writeAtomically() says so when the folder may not be written", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "file"), "");
    await assertRejects(
      () => writeAtomically(join(folder, "file", "result.json"), "{}"),
      BenchError,
      "Cannot write",
    );
  }));

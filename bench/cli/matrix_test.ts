import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path";
import {
  allowedMachines,
  type Machines,
  makeMatrix,
  type MeasuringEntry,
  requireAllowed,
} from "./matrix.ts";
import { artifactLimits } from "../github/comment/untrusted_files.ts";
import { BenchError } from "../lib/error.ts";
import { foldersOf } from "./folders.ts";
import { scenarioIds } from "../scenario/ids.ts";
import { makePlace, runCommandLine } from "../testing/place.ts";

const { impls } = foldersOf();
const scenarios = ["jwt-mysql", "hello", "insert"];

Deno.test("makeMatrix() gives each scenario, and the release that CI sets up, and none where its image has it", async () => {
  assertEquals(await makeMatrix(impls, ["spring-mvc", "deno", "deno"]), [
    { impl: "deno", scenario: "jwt-mysql", setup: {} },
    { impl: "deno", scenario: "hello", setup: {} },
    { impl: "deno", scenario: "gateway", setup: {} },
    { impl: "deno", scenario: "insert", setup: {} },
    { impl: "deno", scenario: "delay", setup: {} },
    { impl: "deno", scenario: "notify", setup: {} },
    { impl: "spring-mvc", scenario: "jwt-mysql", setup: { java: "25" } },
    { impl: "spring-mvc", scenario: "hello", setup: { java: "25" } },
    { impl: "spring-mvc", scenario: "gateway", setup: { java: "25" } },
    { impl: "spring-mvc", scenario: "insert", setup: { java: "25" } },
    { impl: "spring-mvc", scenario: "delay", setup: { java: "25" } },
    { impl: "spring-mvc", scenario: "notify", setup: { java: "25" } },
  ]);
});

Deno.test("makeMatrix() lists every implementation when none is named", async () => {
  await using place = await makePlace();
  for (const id of ["honest", "two-queries"]) await place.addOwn(id, { scenarios });
  assertEquals(
    await makeMatrix(place.folders.impls, []),
    ["honest", "two-queries"].flatMap((impl) =>
      scenarios.map((scenario) => ({ impl, scenario, setup: {} }))
    ),
  );
});

Deno.test("makeMatrix() names an implementation that does not exist", async () => {
  await assertRejects(
    () => makeMatrix(impls, ["denno"]),
    BenchError,
    'Cannot find implementation "denno": no such folder',
  );
});

Deno.test("makeMatrix() refuses a range of Java without a lowest release", async () => {
  await using place = await makePlace();
  await place.addOwn("old", {});
  const path = join(place.folders.impls, "old", "impl.toml");
  const manifest = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, manifest.replace(/^\[requires\]$/m, '$&\njava = "<25"'));
  await assertRejects(
    () => makeMatrix(place.folders.impls, ["old"]),
    BenchError,
    'Cannot choose a release of java for "old": requires.java is "<25", expected a lowest release, like >=25',
  );
});

Deno.test("matrix prints what is measured, with the ids of runs, and sets both as outputs where GitHub asks for them", async () => {
  await using place = await makePlace();
  await place.addOwn("honest", { scenarios });
  const output = join(place.folders.root, "output");
  const { stdout } = await runCommandLine(place, ["matrix"], { env: { GITHUB_OUTPUT: output } });
  const [matrix = "", runIds = ""] = stdout.split("\n");
  const ids = Object.entries(JSON.parse(runIds));
  assertEquals(ids.map(([scenario]) => scenario), scenarioIds);
  const listed = ids.filter(([scenario]) => scenarios.includes(scenario));
  const include = listed.map(([scenario, runId]) => {
    assertMatch(String(runId), /^\d{8}T\d{6}Z-[0-9a-f]{7}$/);
    const machine = { replica: 1, runner: "ubuntu-24.04" };
    return { impl: "honest", scenario, setup: {}, runId, ...machine };
  });
  assertEquals(JSON.parse(matrix), { include });
  assertEquals(include.map(({ scenario }) => scenario), scenarios);
  assertEquals(await Deno.readTextFile(output), `matrix=${matrix}\nrun-ids=${runIds}\n`);
});

const oneMachine: Machines = { replicas: 1, runner: "ubuntu-24.04" };
const arm = { armRunner: "ubuntu-24.04-arm" };

Deno.test("allowedMachines() gives as many replicas as a matrix of GitHub has room for", () => {
  const counts = (entries: number, more: Partial<Machines> = {}) =>
    [1, 3, 5].map((replicas) =>
      allowedMachines(entries, { ...oneMachine, ...more, replicas }).replicas
    );
  assertEquals(counts(0), [1, 3, 5]);
  assertEquals(counts(68), [1, 3, 3]);
  assertEquals(counts(68, arm), [1, 2, 2]);
  assertEquals(counts(64, { armRunner: "" }), [1, 3, 4]);
  assertEquals(counts(256), [1, 1, 1]);
  assertEquals(counts(128, arm), [1, 1, 1]);
});

Deno.test("what is more than a matrix may have, even on one machine, is refused in words", () => {
  const most = "expected 256 at most, which is GitHub's limit for a matrix";
  assertThrows(
    () => allowedMachines(257, oneMachine),
    BenchError,
    `Cannot list the jobs: there are 257, one for each implementation and scenario, ${most}`,
  );
  assertThrows(
    () => allowedMachines(129, { ...oneMachine, ...arm }),
    BenchError,
    `there are 258, one for each implementation, scenario and runner, ${most}`,
  );
  requireAllowed(256);
});

Deno.test("all that a pull request can leave is read for its comment", async () => {
  const { length } = await makeMatrix(impls, []);
  // A result, and a comparison or the result of the base.
  assert(2 * length <= artifactLimits.files, `${length}`);
});

Deno.test("matrix says so where GitHub allows fewer machines than were asked for", async () => {
  await using place = await makePlace();
  await place.addOwn("honest", { scenarios: ["jwt-mysql"] });
  const { stdout, stderr } = await runCommandLine(place, ["matrix", "--replicas", "300"]);
  assertEquals(JSON.parse(stdout.split("\n")[0]!).include.length, 256);
  assertMatch(
    stderr,
    /^Measuring each on 256 of 300 machines: GitHub's limit is 256 jobs for a matrix$/m,
  );
});

Deno.test("matrix has a job for each machine: replicas, on runners of a repository's variable, and one of another architecture", async () => {
  await using place = await makePlace();
  await place.addOwn("honest", { scenarios: ["jwt-mysql"] });
  const machinesOf = async (...options: string[]) => {
    const { stdout, stderr } = await runCommandLine(place, ["matrix", "", ...options]);
    assertEquals(stderr, "");
    const { include } = JSON.parse(stdout.split("\n")[0]!);
    return include.map(({ replica, runner }: MeasuringEntry) => `${replica} on ${runner}`);
  };
  const usual = [1, 2, 3].map((replica) => `${replica} on ubuntu-24.04`);
  const unset = ["--runner", "", "--arm-runner", ""];
  assertEquals(await machinesOf("--replicas", "3", ...unset), usual);
  assertEquals(
    await machinesOf("--replicas", "2", "--runner", "ours", "--arm-runner", "ubuntu-24.04-arm"),
    ["1 on ours", "2 on ours", "3 on ubuntu-24.04-arm"],
  );
});

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { makePlace, type Place, runCommandLine } from "../testing/place.ts";
import { git, sourcesDigest } from "../lib/git.ts";
import { isOfMachine, lastRepetition } from "../results/outcome.ts";
import type { ReasonCode, Result } from "../results/result_schema.ts";
import { listRunIds, readRun } from "../results/store.ts";
import { loadScenario } from "../scenario/list.ts";
import { assertMeasured } from "../testing/of_machine.ts";
import { redTeamImpl } from "../testing/red_team.ts";
import { openServer } from "../testing/server.ts";

/** So short that background load hardly invalidates it. */
const little = ["--levels", "10", "--requests", "300", "--warm-up", "100"];

function resultOf(results: Result[], id: string): Result {
  const result = results.find(({ impl }) => impl.id === id);
  if (result === undefined) throw new Error(`There is no result of ${id}`);
  return result;
}

/** Returns why levels are invalid, but for what others may have done on this machine. */
function reasonCodes(result: Result): ReasonCode[] {
  return result.levels.flatMap((level) => {
    const { validity } = lastRepetition(level);
    return validity.valid ? [] : validity.reasons;
  }).filter((reason) => !isOfMachine(reason)).map(({ code }) => code);
}

Deno.test("run() measures what works and says of the rest where it failed and why", async (t) => {
  await using place = await makePlace();
  await place.add("honest", "build-fails", "dies-at-once", "never-listens", "wrong-port");
  await place.add("wrong-bytes", "exit-under-load");
  using held = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await place.addOwn("port-taken", {
    start: ["deno", "eval", `Deno.listen({ hostname: "127.0.0.1", port: ${held.addr.port} })`],
  });
  await place.addOwn("no-toolchain", { deno: ">=99" });
  await place.addOwn("no-lock-file", {});
  await Deno.remove(join(place.folders.impls, "no-lock-file", "deno.lock"));
  await place.addOwn("not-locked", { driver: "mysql3" });
  await place.addOwn("broken", { start: "deno run" });

  // exit-under-load ends with the 1,501st request.
  const args = ["bench", "--all", "--levels", "10", "--requests", "1600", "--warm-up", "100"];
  const { code, stdout, stderr, stages } = await runCommandLine(place, args, {
    startTimeoutMs: 20_000,
  });
  const results = await place.readOnlyRun();

  await t.step("ends with 1, with nothing left running and no temporary file", async () => {
    assertEquals(code, 1, stderr);
    assertEquals(await place.leftovers(), []);
  });

  await t.step("begins each stage in its order, that of the database once for all", () => {
    const [discovered, built] = [stagesOf(stages, "discover"), stagesOf(stages, "build")];
    assertEquals(discovered.toSorted(), results.map(({ impl }) => impl.id));
    assertEquals(
      built,
      discovered.filter((id) => !["no-toolchain", "no-lock-file", "not-locked"].includes(id)),
    );
    const reached = built.filter((id) => id !== "build-fails");
    assertEquals(stages, [
      ...discovered.map((id) => `discover ${id}`),
      ...built.map((id) => `build ${id}`),
      ...["database", "seed", "prepare"],
      ...reached.flatMap((id) => [
        `verify ${id}`,
        ...(["honest", "exit-under-load"].includes(id) ? [`measure ${id}`] : []),
      ]),
    ]);
  });

  await t.step("honest is measured", () => {
    const honest = resultOf(results, "honest");
    assertEquals([honest.status, reasonCodes(honest)], ["complete", []]);
    const { attempted, correct, failures } = lastRepetition(honest.levels[0]!).observation!;
    assertEquals({ attempted, correct, failures }, {
      attempted: 1_600,
      correct: 1_600,
      failures: {},
    });
  });

  await t.step("exit-under-load is invalid, as its process has ended, and its log says why", () => {
    const result = resultOf(results, "exit-under-load");
    assertEquals([result.status, result.levels[0]?.repetitions.length], ["complete", 1]);
    assertEquals(reasonCodes(result), ["subject-exited"]);
    assertStringIncludes(
      stderr,
      "exit-under-load logged a line meanwhile:\n  Cannot answer more than 1,500 requests\n",
    );
  });

  const failures: Record<string, { stage: string; message: RegExp; detail: RegExp }> = {
    "no-toolchain": {
      stage: "discover",
      message:
        /^Cannot use toolchain "deno" for "no-toolchain": its version is \d+\.\d+\.\d+, expected >=99$/,
      detail: /^Deno comes with the harness/,
    },
    "no-lock-file": {
      stage: "discover",
      message:
        /^Cannot read the versions of "no-lock-file": its folder has no lock file, expected /,
      detail: /^Make it with the tool of its language, and commit it: /,
    },
    "not-locked": {
      stage: "discover",
      message: /^Cannot read the versions of "not-locked": key "driver": deno\.lock has no /,
      detail: /^A name in impl\.toml is that of a package, /,
    },
    "build-fails": {
      stage: "build",
      message: /^Cannot build "build-fails": `sh -c echo .*` ended with exit code 3, expected 0$/,
      detail: /build-fails\/build\.log:\nerror: no such module$/,
    },
    "dies-at-once": {
      stage: "start",
      message:
        /^Cannot start "dies-at-once": its process ended with exit code 1 before it answered/,
      detail: /\nCannot read the configuration$/,
    },
    "port-taken": {
      stage: "start",
      message: /^Cannot start "port-taken": its process ended with exit code 1 before it answered/,
      detail: /Address already in use/,
    },
    "never-listens": {
      stage: "start",
      message:
        /^Cannot reach http:\/\/127\.0\.0\.1:\d+\/ within 20 s: connection refused, expected /,
      detail: /^The end of its log:\n\(.* is empty\)$/,
    },
    "wrong-port": {
      stage: "start",
      message:
        /^Cannot reach http:\/\/127\.0\.0\.1:\d+\/ within 20 s: connection refused, expected /,
      detail: /^It listens on port \d+ instead: read PORT\.\n/,
    },
    "wrong-bytes": {
      stage: "verify",
      message: /^Cannot measure "wrong-bytes": \d+ problems with its answers, expected none$/,
      detail: /^Cannot verify "random user": /m,
    },
  };
  for (const [id, { stage, message, detail }] of Object.entries(failures)) {
    await t.step(`${id} failed at ${stage}`, () => {
      const { status, failure, levels } = resultOf(results, id);
      assertEquals([status, failure?.stage, levels], ["failed", stage, []]);
      assert(message.test(failure!.message), failure!.message);
      assert(detail.test(failure!.detail), failure!.detail);
      assertStringIncludes(stdout, `failed at ${stage}: ${failure!.message}`);
      assertStringIncludes(stdout, failure!.detail);
    });
  }

  await t.step("an impl.toml that cannot be read has no result, and is told", () => {
    assertStringIncludes(
      stderr,
      `broken/impl.toml": key "start" is "deno run", expected a list of texts`,
    );
    assertEquals(stdout.includes("broken"), false);
  });
});

function stagesOf(stages: string[], name: string): string[] {
  return stages.filter((stage) => stage.startsWith(`${name} `)).map((stage) =>
    stage.slice(name.length + 1)
  );
}

Deno.test("run() says of a result that its checkout changed meanwhile", async () => {
  await using place = await makePlace();
  const { root, impls } = place.folders;
  await place.add("honest");
  await place.addOwn("changes-itself", { build: ["touch", "more.ts"] });
  await git(root, "add", "impls");
  await place.commit();
  for (const [id, dirty] of [["honest", false], ["changes-itself", true]] as const) {
    const ended = await runCommandLine(place, ["bench", id, ...little]);
    await assertMeasured(place, ended);
    const [runId] = await listRunIds(place.folders.localRuns);
    const [result] = await readRun(place.folders.localRuns, runId!);
    assertEquals([result!.impl.id, result!.provenance.dirty], [id, dirty]);
    const sources = await sourcesDigest(join(impls, id), "HEAD");
    assertEquals(result!.provenance.sourcesSha256, dirty ? undefined : sources);
    const line = `The checkout has changed since the run began: the result of ${id} says so, `;
    assertEquals(ended.stderr.split(line).length, dirty ? 2 : 1, ended.stderr);
    await Deno.remove(place.folders.localRuns, { recursive: true });
  }
});

Deno.test("run() refuses a level for which there are too few file descriptors", async () => {
  await using place = await makePlace();
  await place.add("honest");
  const { code, stderr, stages } = await runCommandLine(
    place,
    ["bench", "honest", "smoke", "--levels", "300"],
    { shell: "ulimit -Sn 256; ulimit -Hn 256" },
  );
  assertEquals([code, stages], [1, []], stderr);
  assertStringIncludes(
    stderr,
    "Cannot open 300 connections: the limit of open files is 256, expected at least 428\n" +
      "Raise it with `ulimit -n 428`; above the hard limit, as root or in ",
  );
  assertEquals(await place.leftovers(), []);
});

Deno.test("run() with the server of DATABASE_URL", async (t) => {
  await using database = await openServer();
  const bench = async (place: Place, url: string) =>
    await runCommandLine(place, ["bench", "honest", ...little], { env: { DATABASE_URL: url } });

  await t.step("measures, and leaves database loss unchecked", async () => {
    await using place = await makePlace();
    await place.add("honest");
    await assertMeasured(place, await bench(place, database.url));
    const [result] = await place.readOnlyRun();
    assertEquals(result!.verification, { problems: [], outage: "not-checked" });
    assertEquals(result!.database?.provider, "DATABASE_URL");
    assertEquals(await place.leftovers(), []);
  });

  await t.step("verifies, and says that database loss was not checked", async () => {
    await using place = await makePlace();
    await place.add("honest", "wrong-bytes");
    const env = { DATABASE_URL: database.url };
    const honest = await runCommandLine(place, ["verify", "honest"], { env });
    const lines: string[] = [];
    for (const id of (await redTeamImpl("honest")).manifest.scenarios) {
      lines.push(`honest meets the contract of ${id}\n`);
      const { needs } = (await loadScenario(id)).contract;
      if (!needs.includes("database")) continue;
      lines.push(
        "Loss of the database was not checked: the harness does not stop the server of DATABASE_URL\n",
      );
    }
    assertEquals([honest.code, honest.stdout], [0, lines.join("")], honest.stderr);
    const wrong = await runCommandLine(place, ["verify", "wrong-bytes"], { env });
    assertEquals(wrong.code, 1, wrong.stderr);
    assertStringIncludes(wrong.stdout, 'Cannot verify "random user": ');
    assertStringIncludes(wrong.stdout, "  sent: GET / ");
    assert(/^wrong-bytes, jwt-mysql: \d+ problems$/m.test(wrong.stdout), wrong.stdout);
    assertEquals(await place.leftovers(), []);
  });

  await using connection = await database.connect();
  await connection.query("CREATE DATABASE nothing");
  await connection.query("CREATE DATABASE few");
  await connection.query("CREATE TABLE few.users LIKE users");
  await connection.query("INSERT INTO few.users SELECT * FROM users LIMIT 99999");

  const changed = (change: (url: URL) => void) => {
    const url = new URL(database.url);
    change(url);
    return url.href;
  };
  const refused: Record<string, { url: string; says: string; stages: string[] }> = {
    "the wrong password": {
      url: changed((url) => url.password = "wrong"),
      says: "Access denied for user 'given'",
      stages: [],
    },
    "no table": {
      url: changed((url) => url.pathname = "/nothing"),
      says: 'Cannot use database "nothing": it has no table "users", expected one',
      stages: ["discover honest", "build honest", "database", "seed"],
    },
    "a row too few": {
      url: changed((url) => url.pathname = "/few"),
      says: 'Cannot use database "few": its table "users" has 99,999 rows, expected 100,000',
      stages: ["discover honest", "build honest", "database", "seed"],
    },
    "another engine": {
      url: changed((url) => url.href = url.href.replace("mysql:", "postgres:")),
      says: 'Cannot use "DATABASE_URL": its scheme is "postgres", expected mysql',
      stages: [],
    },
  };
  for (const [what, { url, says, stages }] of Object.entries(refused)) {
    await t.step(`refuses ${what}, before anything is built where that can be told`, async () => {
      await using place = await makePlace();
      await place.add("honest");
      const ended = await bench(place, url);
      assertEquals(ended.code, 1, ended.stderr);
      assertStringIncludes(ended.stderr, says);
      assertEquals(ended.stages, stages);
      const begun = await listRunIds(place.folders.localRuns);
      assertEquals(begun.length, stages.length === 0 ? 0 : 1);
      for (const { status } of begun.length === 0 ? [] : await place.readOnlyRun()) {
        assertEquals(status, "incomplete");
      }
      assertEquals(await place.leftovers(), []);
    });
  }
});

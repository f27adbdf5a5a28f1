import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { exampleRun } from "../testing/example_run.ts";
import { textOf } from "../testing/remote.ts";
import { environmentOf, serveGitHub } from "../testing/fake_github.ts";
import { makePlace, runCommandLine } from "../testing/place.ts";
import { writeResult } from "../results/store.ts";

const anId = "20260105T000000Z-0000000";

/** The ids of a workflow's runs, of which one is of interest here. */
const idsOf = (runId: string) => JSON.stringify({ "jwt-mysql": runId });

Deno.test("touched and matrix say which implementations differ from a commit, and in which scenarios that has them", async () => {
  await using place = await makePlace();
  const { root, impls } = place.folders;
  const git = async (...args: string[]) => {
    const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
    const options = { args: ["-C", root, ...identity, ...args] };
    assertEquals((await new Deno.Command("git", options).output()).code, 0, args.join(" "));
  };
  const both = ["jwt-mysql", "delay"];
  await place.addOwn("honest", { scenarios: both.slice(0, 1) });
  await place.add("two-queries");
  await git("add", "impls");
  await git("commit", "--quiet", "--message", "Two");
  const matrixOf = async (...args: string[]) => {
    const { stdout } = await runCommandLine(place, ["matrix", ...args]);
    const { include } = JSON.parse(stdout.split("\n")[0]!) as { include: { impl: string }[] };
    return [...new Set(include.map(({ impl }) => impl))];
  };
  assertEquals(await matrixOf("", "--since", "HEAD"), []);
  // Not a push, so nothing to compare with.
  assertEquals(await matrixOf("", "--since", ""), ["honest", "two-queries"]);
  const none = '{"include":[]}\n';
  assertEquals((await runCommandLine(place, ["touched", "HEAD"])).stdout, none + none);
  await place.addOwn("own", { scenarios: both });
  const path = join(impls, "honest", "impl.toml");
  const manifest = (await Deno.readTextFile(path)).replace(/^scenarios = .*/m, "");
  await Deno.writeTextFile(path, `scenarios = ${JSON.stringify(both)}\n${manifest}`);
  await git("add", "impls");
  await git("commit", "--quiet", "--message", "Another, and a change");
  const output = join(root, "output");
  const { stdout } = await runCommandLine(place, ["touched", "HEAD^1"], {
    env: { GITHUB_OUTPUT: output },
  });
  const include = ["honest", "own"].flatMap((impl) =>
    both.map((scenario) => ({ impl, scenario, setup: {} }))
  );
  const measuring = include.flatMap((entry) => {
    const isInBase = entry.impl === "honest" && entry.scenario === "jwt-mysql";
    return [{ ...entry, task: "measure" }, ...isInBase ? [{ ...entry, task: "compare" }] : []];
  });
  const [matrix, jobs] = [include, measuring].map((include) => JSON.stringify({ include }));
  assertEquals(stdout, `${matrix}\n${jobs}\n`);
  assertEquals(await Deno.readTextFile(output), `matrix=${matrix}\nmeasuring=${jobs}\n`);
  assertEquals(await matrixOf("", "--since", "HEAD^1"), ["honest", "own"]);
});

Deno.test("commit-run publishes nothing where an artifact was not downloaded; for a damaged one, it fails after it has set what it published as an output", async () => {
  await using place = await makePlace();
  const { root } = place.folders;
  const git = async (...args: string[]) => {
    const { code, stdout } = await new Deno.Command("git", { args: ["-C", root, ...args] })
      .output();
    assertEquals(code, 0, args.join(" "));
    return new TextDecoder().decode(stdout).trim();
  };
  const remote = join(root, "remote.git");
  await git("init", "--quiet", "--bare", remote);
  await git("remote", "add", "origin", remote);
  await git("push", "--quiet", "origin", "HEAD:refs/heads/main");
  const runId = "20260105T000000Z-0000000";
  const runIds = idsOf(runId);
  const artifacts = join(root, "artifacts");
  const swift = textOf("swift", ({ plan }) => plan.profile = "full");
  for (const [implId, text] of [["swift", swift], ["even", "{"]]) {
    await Deno.mkdir(join(artifacts, `result-jwt-mysql-${implId}.1`), { recursive: true });
    await Deno.writeTextFile(
      join(artifacts, `result-jwt-mysql-${implId}.1`, `${implId}.json`),
      text!,
    );
  }
  const output = join(root, "output");
  await using github = serveGitHub();
  const env = { ...environmentOf(github), GITHUB_OUTPUT: output };
  const commitRun = (folder: string) =>
    runCommandLine(place, ["commit-run", runIds, folder, "main"], { env });
  github.artifacts.push(
    ...["swift", "even", "tweaked"]
      .map((id) => ({ name: `result-jwt-mysql-${id}.1`, expired: false })),
  );
  const incomplete = await commitRun(artifacts);
  assertEquals([incomplete.code, incomplete.stdout], [1, ""]);
  assertStringIncludes(
    incomplete.stderr,
    "expected all of run 5: result-jwt-mysql-tweaked.1",
  );
  assertEquals(
    await git("ls-remote", "origin", "refs/heads/main"),
    `${await git("rev-parse", "HEAD")}\trefs/heads/main`,
  );
  github.artifacts.pop();
  const { code, stdout, stderr } = await commitRun(artifacts);
  const commit = await git("ls-remote", "origin", "refs/heads/main").then((line) =>
    line.split("\t")[0]
  );
  assertEquals([code, stdout], [
    1,
    `swift (jwt-mysql): published in ${commit}\n${commit}\n${runIds}\n`,
  ]);
  assertStringIncludes(stderr, 'Cannot parse "result-jwt-mysql-even.1/even.json"');
  const outputs = `published=${commit}\nrun-ids=${runIds}\n`;
  assertEquals(await Deno.readTextFile(output), outputs);
  github.artifacts.length = 0;
  const nothing = await commitRun("/no such folder");
  assertEquals(nothing.code, 1);
  assertEquals(await Deno.readTextFile(output), outputs);
});

Deno.test("regressions prints the matrix of regressions, and the id of the run that measures them again", async () => {
  await using place = await makePlace();
  await place.add("honest");
  const runIds = [1, 2, 3, 4, 5, 6].map((day) => `2026010${day}T000000Z-0000000`);
  for (const runId of runIds) {
    const [result] = exampleRun(runId);
    result!.impl.id = "honest";
    result!.rateSweep!.sustainablePerSecond = runId === runIds.at(-1) ? 500 : 2_000;
    await writeResult(place.folders.publishedRuns, result!);
  }
  const output = join(place.folders.root, "output");
  const env = { GITHUB_OUTPUT: output };
  const before = await runCommandLine(place, ["regressions", idsOf(runIds.at(-2)!)]);
  assertEquals(before.stdout.split("\n")[0], '{"include":[]}');
  const { stdout, stderr } = await runCommandLine(place, ["regressions", idsOf(runIds.at(-1)!)], {
    env,
  });
  assertStringIncludes(stderr, "honest, jwt-mysql: highest sustainable rate: 75.0 % worse");
  const [matrix = "", rerunIds = ""] = stdout.split("\n");
  const runId = JSON.parse(rerunIds)["jwt-mysql"];
  assertMatch(runId, /^\d{8}T\d{6}Z-0{7}$/);
  const again = { impl: "honest", scenario: "jwt-mysql", setup: {}, runId };
  const machine = { replica: 1, runner: "ubuntu-24.04" };
  assertEquals(JSON.parse(matrix), { include: [{ ...again, ...machine }] });
  assertEquals(await Deno.readTextFile(output), `matrix=${matrix}\nrun-ids=${rerunIds}\n`);
});

Deno.test("commands of workflows say what GitHub would have set", async () => {
  await using place = await makePlace();
  const env = { GITHUB_EVENT_PATH: "", GITHUB_SERVER_URL: "", GITHUB_REPOSITORY: "" };
  const comment = await runCommandLine(place, ["comment", "a", "b"], { env });
  const data = await runCommandLine(place, ["benchmark-data", idsOf(anId), place.folders.root], {
    env,
  });
  const alert = await runCommandLine(
    place,
    ["alert", idsOf(anId), idsOf(anId), "c", "--site", ""],
    { env },
  );
  assertEquals([comment.code, data.code, alert.code], [1, 1, 1]);
  assertStringIncludes(alert.stderr, '"GITHUB_REPOSITORY": it is not set');
  assertStringIncludes(comment.stderr, '"GITHUB_EVENT_PATH": it is not set');
  assertStringIncludes(data.stderr, '"GITHUB_SERVER_URL": it is not set');
});

import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { exists } from "../lib/exists.ts";
import { listeningPorts } from "../machine/listening_ports.ts";
import type { Result } from "../results/result_schema.ts";
import { assertMeasured } from "../testing/of_machine.ts";
import {
  type Ended,
  makePlace,
  type Place,
  processesOf,
  runCommandLine,
  startCommandLine,
} from "../testing/place.ts";
import { comparisonPlans } from "../results/profiles.ts";
import { resultPath } from "../results/store.ts";

/** Presses Ctrl-C at a moment of a run, and asserts what holds whenever that was. */
async function interrupt(
  place: Place,
  args: string[],
  moment: { stage: RegExp; until: () => Promise<boolean> },
): Promise<{ ended: Ended; result: Result }> {
  await using running = startCommandLine(place, args);
  await running.until(async (stderr) => moment.stage.test(stderr) && await moment.until());
  running.interrupt();
  const ended = await running.ended;
  assertEquals([ended.code, ended.stdout], [130, ""], ended.stderr);
  assertStringIncludes(ended.stderr, "Interrupted: everything that was started is stopped\n");
  assertEquals(await place.leftovers(), []);
  const [result] = await place.readOnlyRun();
  assertEquals([result!.status, result!.endedAt], ["incomplete", undefined]);
  return { ended, result: result! };
}

Deno.test("bench() stops all that it started when Ctrl-C is pressed", async (t) => {
  const nap = 'touch "$TMPDIR"/../napping; sleep 600 & sleep 600';

  await t.step("while an implementation is built", async () => {
    await using place = await makePlace();
    await place.addOwn("sleepy", { build: ["sh", "-c", nap] });
    const { ended } = await interrupt(place, ["bench", "sleepy", "smoke"], {
      stage: /^stage: build /m,
      until: () => exists(join(place.folders.root, "napping")),
    });
    assertEquals(ended.stages, ["discover sleepy", "build sleepy"]);
  });

  await t.step("while it starts", async () => {
    await using place = await makePlace();
    await place.addOwn("sleepy", { start: ["sh", "-c", nap] });
    const { ended } = await interrupt(place, ["bench", "sleepy", "smoke"], {
      stage: /^stage: verify /m,
      until: () => exists(join(place.folders.root, "napping")),
    });
    assertEquals(ended.stages.at(-1), "verify sleepy");
  });

  await t.step("while it is verified", async () => {
    await using place = await makePlace();
    await place.add("honest");
    const { result } = await interrupt(place, ["bench", "honest", "smoke"], {
      stage: /^stage: verify /m,
      until: async () => {
        const subject = (await processesOf(place.temporary))
          .find(({ command }) => command.includes("server.ts honest"));
        return subject !== undefined && (await listeningPorts(subject.pid)).length > 0;
      },
    });
    assertEquals([result.verification, result.levels], [undefined, []]);
  });
});

Deno.test("bench() measures the implementations that are named, and no other", async () => {
  await using place = await makePlace();
  for (const id of ["first", "second", "third"]) await place.addOwn(id, { build: ["false"] });
  const { code, stages, stderr } = await runCommandLine(place, ["bench", "third,first", "smoke"]);
  const expected = ["build first", "build third", "discover first", "discover third"];
  assertEquals([code, stages.toSorted()], [1, expected], stderr);
});

Deno.test("bench() goes on with a run that was interrupted", async (t) => {
  await using place = await makePlace();
  await place.add("honest");
  const counts = ["--levels", "10,20", "--requests", "300", "--warm-up", "100"];
  const { ended, result } = await interrupt(place, ["bench", "honest", ...counts], {
    // Loads are short, so that none is judged by what else the machine does; who looks for one may miss it.
    stage: /(^stage: measure [^]*){2}/m,
    until: () => Promise.resolve(true),
  });
  const { localRuns, publishedRuns } = place.folders;
  const path = resultPath(localRuns, result);
  const resume = ["bench", "--resume", result.runId];
  const interrupted = await Deno.readTextFile(path);

  await t.step("which kept its first level, and says so", () => {
    assertStringIncludes(
      ended.stderr,
      "Interrupted: everything that was started is stopped\n" +
        `Kept: 1 of 2 levels of honest, in ${path}\n` +
        `Continue with \`just bench --resume ${result.runId}\`\n`,
    );
    assertEquals(result.levels.map(({ connections }) => connections), [result.plan.levels[0]]);
  });

  /** Resumes after a change of the file, and asserts that it is refused and stays as it is. */
  const refuse = async (text: string, says: string) => {
    await Deno.writeTextFile(path, text);
    const { code, stderr, stages } = await runCommandLine(place, resume);
    assertEquals([code, stages], [1, []], stderr);
    assertStringIncludes(stderr, says);
    assertEquals(await Deno.readTextFile(path), text);
    assertEquals(await place.leftovers(), []);
    await Deno.writeTextFile(path, interrupted);
  };
  const changed = (change: (result: Result) => void) => {
    const copy = structuredClone(result);
    change(copy);
    return JSON.stringify(copy);
  };

  await t.step(
    "but not with a file that is cut short",
    () => refuse(interrupted.slice(0, 500), `Cannot parse "${path}": `),
  );
  await t.step("but not with a file of another schema", () =>
    refuse(
      interrupted.replace('"schemaVersion":1', '"schemaVersion":2'),
      `Cannot parse "${path}": schemaVersion is 2, expected 1`,
    ));
  await t.step("but not with a file that has an unknown key", () =>
    refuse(
      interrupted.replace('"schemaVersion":1', '"schemaVersion":1,"speed":9'),
      `Cannot parse "${path}": Unrecognized key: "speed"`,
    ));
  await t.step("but not on another machine", () =>
    refuse(
      changed(({ machine }) => machine.cpuModel = "Another CPU"),
      `Cannot resume "${result.runId}": cpuModel is ${result.machine.cpuModel}, was Another CPU, ` +
        "expected the same machine and commit\nMeasure again without --resume.\n",
    ));
  await t.step("but not with another server, once it has answered", async () => {
    await Deno.writeTextFile(path, changed(({ database }) => database!.version = "8.0.0"));
    const { code, stderr, stages } = await runCommandLine(place, resume);
    assertEquals([code, stages.at(-1)], [1, "prepare"], stderr);
    assertStringIncludes(stderr, `Cannot resume "${result.runId}": version of the database is `);
    const [after] = await place.readOnlyRun();
    assertEquals([after!.status, after!.levels], ["incomplete", result.levels]);
    assertEquals(await place.leftovers(), []);
    await Deno.writeTextFile(path, interrupted);
  });
  await t.step("but not one that is published", async () => {
    await Deno.mkdir(join(publishedRuns, result.runId), { recursive: true });
    await refuse(interrupted, `Cannot resume "${result.runId}": it is published, expected `);
    await Deno.remove(publishedRuns, { recursive: true });
  });
  await t.step("but not one that does not exist", async () => {
    const { code, stderr } = await runCommandLine(place, [
      ...["bench", "--resume", "20200101T000000Z-0000000"],
    ]);
    assertEquals(code, 1, stderr);
    assertStringIncludes(stderr, `expected one of ${result.runId}\n`);
  });

  // 1 where the machine disturbed a level three times.
  let codeOfMeasured = 0;
  await t.step("measures what it lacks and leaves the rest as it was", async () => {
    const ended = await runCommandLine(place, resume);
    const { stdout, stderr, stages } = ended;
    await assertMeasured(place, ended);
    assertStringIncludes(stderr, "what the run already has is not measured again.\n");
    codeOfMeasured = ended.code;
    // Printed when levels were done, the table is not printed again at the end.
    assertEquals(stdout.split("┌").length, 2, stdout);
    // Only what is invalid is named between the table and the file, and that a load is too short for CPU and memory.
    const withoutShort = stdout.replace(/^–: CPU and memory .*\n/m, "");
    assertStringIncludes(withoutShort, `${ended.code === 0 ? "┘" : ""}\n${path}\n`);
    assertEquals(stages.filter((stage) => stage === "measure honest").length, 1);
    const [complete] = await place.readOnlyRun();
    assertEquals(complete!.status, "complete");
    assertEquals(complete!.levels.map(({ connections }) => connections), result.plan.levels);
    assertEquals(complete!.levels[0], result.levels[0]);
    assertEquals(complete!.startedAt, result.startedAt);
    assertEquals(await place.leftovers(), []);
  });
  await t.step("prints the levels before it compares, and keeps them after Ctrl-C", async () => {
    const complete = await Deno.readTextFile(path);
    const { endedAt: _, ...lacking }: Result = JSON.parse(complete);
    const plan = { ...lacking.plan, comparison: comparisonPlans.smoke };
    await Deno.writeTextFile(path, JSON.stringify({ ...lacking, status: "incomplete", plan }));
    await using running = startCommandLine(place, resume);
    await running.until((stderr) => Promise.resolve(/^stage: compare /m.test(stderr)));
    running.interrupt();
    const { code, stdout, stderr } = await running.ended;
    assertEquals([code, stdout.split("┌").length], [130, 2], stdout + stderr);
    assertStringIncludes(stderr, `\nKept: 2 of 2 levels of honest, in ${path}\n`);
    const [kept] = await place.readOnlyRun();
    assertEquals([kept!.status, kept!.levels], ["incomplete", lacking.levels]);
    assertEquals(await place.leftovers(), []);
    await Deno.writeTextFile(path, complete);
  });
  await t.step("does nothing where nothing lacks", async () => {
    const complete = await Deno.readTextFile(path);
    const { code, stages, stderr } = await runCommandLine(place, resume);
    assertEquals([code, stages], [codeOfMeasured, ["discover honest"]], stderr);
    assertEquals(await Deno.readTextFile(path), complete);
  });
  await t.step("fails if a level is invalid, unless that is accepted", async () => {
    const complete = await Deno.readTextFile(path);
    const copy: Result = JSON.parse(complete);
    const repetition = copy.levels[0]!.repetitions.at(-1)!;
    const reasons = [{ code: "request-log" as const, message: "it logged 1,000 lines" }];
    Object.assign(repetition, { validity: { valid: false, reasons }, figures: undefined });
    await Deno.writeTextFile(path, JSON.stringify(copy));
    for (const [flags, expected] of [[[], 1], [["--accept-invalid"], 0]] as const) {
      const { code, stdout, stderr } = await runCommandLine(place, [...resume, ...flags]);
      assertEquals(code, expected, stderr);
      assertStringIncludes(stdout + stderr, "it logged 1,000 lines");
    }
    await Deno.writeTextFile(path, complete);
  });
  await t.step("but not at another commit", async () => {
    await place.commit();
    await refuse(interrupted, `, was ${result.provenance.commit}, expected the same machine`);
  });
});

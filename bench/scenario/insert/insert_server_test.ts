import { assert, assertArrayIncludes, assertEquals, assertMatch } from "@std/assert";
import { overConnection } from "../../database/connection.ts";
import { findToolchain, noToolchain } from "../../impl/toolchains.ts";
import type { Startable } from "../../impl/start.ts";
import { measureCeiling } from "../../measure/ceiling.ts";
import { compare } from "../../measure/compare.ts";
import { openWorkload } from "../../measure/workload.ts";
import { sweepProcess } from "../../measure/fixed_rates.ts";
import { findProblems, start } from "../../measure/ground.ts";
import type { Session } from "../../measure/session.ts";
import { warmUp } from "../../measure/warm_up.ts";
import { controlImpl, nullServerImpl } from "../../native/native.ts";
import { lastRepetition } from "../../results/outcome.ts";
import { makePlan } from "../../results/plan.ts";
import { resultSchema } from "../../results/result_schema.ts";
import { groundOf } from "../../testing/ground.ts";
import { exampleFacts, loadSessionOf, measureOne } from "../../testing/load_session.ts";
import { isUntold, measureAgainWhile, withoutMachine } from "../../testing/of_machine.ts";
import { redTeamImpl } from "../../testing/red_team.ts";
import { ensureNative } from "../../tools/tools.ts";
import { scenario } from "./mod.ts";
import { highestId } from "./table.ts";
import { firstId } from "./visits.ts";

const connections = 20;

/** Where a load ends before the first late row is there, all are missing. */
const lateOrMissing =
  /\(late-row\), .* its record, but row \d+ was not there \d+ ms later|\(missing-row\), .* but no row, expected a row/;

/** What is said of each cheat under load. */
const caught: Record<string, RegExp> = {
  "answers-before-it-writes": lateOrMissing,
  "answers-before-it-commits": lateOrMissing,
  "writes-in-batches": /the database counted 0\.\d+ queries per request, expected 1\.000/,
  "commits-in-batches":
    /the database counted 0\.\d+ transactions per request, expected 1\.000: one for each/,
  "drops-one-in-a-thousand": /\(missing-row\), .* status 201, but no row, expected a row/,
  "writes-another-text":
    /\(altered-row\), .* a row of another text, "[A-Z ]+" in place of "[a-z ]+"/,
  "writes-another-user": /\(unknown-row\), .* row \d+ with the user "[a-z]{5}\.x{7}"/,
  "writes-two-rows": /\(row-twice\), .* 2 rows, \d+, \d+, expected 1 of them/,
  "answers-an-id-twice": /\(another-id\), .* the id \d{10}, expected the id \d{10} of its row/,
};

/** The same in a comparison, of those that a judge of the other side's rows could take for right. */
const inComparison = [
  "answers-before-it-commits",
  "drops-one-in-a-thousand",
  "answers-an-id-twice",
];

/** What each cheat must be caught at before a load. */
const verified: Record<string, string[]> = {
  "answers-before-it-writes": ["row right after its answer", "rows after a kill"],
  "answers-before-it-commits": ["row right after its answer", "rows after a kill"],
  "writes-in-batches": ["server-side prepared statements"],
  "writes-another-text": ["row right after its answer"],
  "writes-two-rows": ["one insert per request"],
};

async function sideOf(id: string): Promise<Startable> {
  const impl = await redTeamImpl(id);
  // What is told of a row does not depend on how warm a server is.
  return { impl, toolchain: { ...await findToolchain(impl), warmUpFactor: 1 } };
}

Deno.test("insert", async (t) => {
  await using ground = await groundOf(scenario);
  const native = await ensureNative(ground);
  const control = { impl: controlImpl(native), toolchain: noToolchain };

  await t.step("is what the control does", async () => {
    assertEquals(await findProblems(control, ground), []);
  });
  await t.step("is what an honest server does", async () => {
    assertEquals(await findProblems(await sideOf("honest"), ground), []);
  });
  await t.step("finds a server that reads keys in any case", async () => {
    await using subject = await start(await sideOf("honest"), ground);
    await using lenient = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      async (request) => {
        const { method, headers } = request;
        const keys = /"(?:user|page|text)":/gi;
        const body = method === "POST"
          ? (await request.text()).replace(keys, (key) => key.toLowerCase())
          : undefined;
        return await fetch(subject.url + new URL(request.url).pathname, { method, headers, body });
      },
    );
    const url = `http://127.0.0.1:${lenient.addr.port}`;
    const problems = await ground.scenario.verifyAnswers({ ...subject, url }, ground);
    const found = problems.map(({ check }) => check);
    assertArrayIncludes(found, ["body with a key in capitals", "no row for a refused request"]);
  });
  await t.step("finds a server that takes a form", async () => {
    await using subject = await start(await sideOf("honest"), ground);
    await using lenient = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      async ({ method, headers, url, body: stream }) => {
        const text = await new Response(stream).text();
        const isForm = headers.get("content-type") === "application/x-www-form-urlencoded";
        const body = isForm ? JSON.stringify(Object.fromEntries(new URLSearchParams(text))) : text;
        return await fetch(subject.url + new URL(url).pathname, {
          method,
          headers: { ...Object.fromEntries(headers), "content-type": "application/json" },
          body: method === "POST" ? body : undefined,
        });
      },
    );
    const url = `http://127.0.0.1:${lenient.addr.port}`;
    const problems = await ground.scenario.verifyAnswers({ ...subject, url }, ground);
    const found = problems.map(({ check }) => check);
    assertArrayIncludes(found, ["body of a form", "no row for a refused request"]);
  });
  for (const [id, checks] of Object.entries(verified)) {
    await t.step(`catches ${id} at ${checks.join(", ")}`, async () => {
      const side = await sideOf(id);
      const found: string[] = [];
      {
        await using subject = await start(side, ground);
        const problems = await ground.scenario.verifyAnswers(subject, ground);
        found.push(...problems.map(({ check }) => check));
      }
      // Its rows are lost between answer and commit only: on a busy machine, one kill may miss that.
      const most = id === "answers-before-it-commits" ? 3 : 1;
      for (let kills = 0; kills < most; kills++) {
        if (!checks.includes("rows after a kill") || found.includes("rows after a kill")) break;
        await using subject = await start(side, ground);
        const problems = await ground.scenario.verifyKilled!(subject, ground);
        found.push(...problems.map(({ check }) => check));
      }
      assertArrayIncludes(found, checks);
    });
  }

  await t.step("leaves the table of a given server empty, after a Ctrl-C, too", async () => {
    const interruption = new AbortController();
    const database = { ...ground.database!, provider: "DATABASE_URL" as const };
    const means = { ...ground, database, random: Math.random, signal: interruption.signal };
    const { restore } = await scenario.prepare(means);
    await overConnection(database, async (connection) => {
      await connection.query("INSERT INTO visits (user, page, text) VALUES ('a', 'b', 'c')");
      interruption.abort();
      await restore!();
      assertEquals(await highestId(connection), firstId - 1);
    });
  });

  const facts = await exampleFacts(
    "insert",
    makePlan("smoke", { levels: [connections], requests: 2_000, warmUpRequests: 200 }, 1),
  );
  const unverified = { ...ground.scenario, verifyAnswers: () => Promise.resolve([]) };
  const session: Session = {
    ...await loadSessionOf({ ...ground, scenario: unverified }, { stallMs: 3_000 }),
    facts,
    // The tests beside this one are no reason to measure again.
    mostRepeats: 0,
  };
  const judged = async (side: Startable) => {
    const result = await measureOne(side, connections, session);
    const { validity } = lastRepetition(result.levels[0]!);
    const said = validity.valid ? "" : validity.reasons.map(({ message }) => message).join("; ");
    return { result, said };
  };
  const plan = {
    ...{ budgetSeconds: 0, minRounds: 1, levels: [connections], loads: 1, slices: 2 },
    ...{ sliceSeconds: 0.25, settleSeconds: 0.05, warmUpRequests: 1_000 },
  };
  const compareOne = async (id: string) => {
    const sides = { subject: await sideOf(id), reference: control };
    const { levels: [level] } = await compare(sides, { session, plan, seed: 1, title: id });
    return level!.problem ?? "";
  };

  await t.step("says nothing of an honest server, in a level", async () => {
    const { result, said } = await judged(await sideOf("honest"));
    assertEquals(withoutMachine(said), "");
    resultSchema.parse(JSON.parse(JSON.stringify(result)));
    const { correct, queries } = lastRepetition(result.levels[0]!).observation!;
    assertEquals([correct, queries?.expectedPerRequest], [2_000, 1]);
    assert(queries!.transactionsPerRequest! >= 1 && queries!.aroundPerRequest === 0);
  });
  await t.step("says nothing of an honest server, in a comparison", async () => {
    assertEquals(withoutMachine(await compareOne("honest")), "");
  });
  await t.step("says nothing of an honest server, at a fixed rate", async () => {
    await using subject = await start(await sideOf("honest"), session);
    await using workload = await openWorkload(session);
    const seen = await warmUp(subject, { session, workload, connections, requests: 1_000 });
    const { steps } = await sweepProcess(subject, {
      ...{ session, workload, title: "honest", warmUp: seen },
      plan: {
        ...{ connections, ratesPerSecond: [200], secondsPerStep: 1, processes: 1 },
        ...{ warmUpRequests: 1_000, goal: { p99Seconds: 10, failureShare: 1 } },
      },
    });
    assertEquals(withoutMachine(steps[0]!.problem ?? ""), "");
  });
  await t.step("is what the null server has a ceiling for", async () => {
    await using nullServer = await start(
      { impl: nullServerImpl(native), toolchain: noToolchain },
      session,
    );
    const ceiling = { loadSeconds: 0.2, mostLoads: 5 };
    const { requests } = await measureCeiling(nullServer, { plan: ceiling, session, connections });
    assert(requests > 1_000);
  });
  // What others do on the machine may make reading the table too slow to see a late row.
  const mayBeUntold = (said: RegExp) => (is: string) => isUntold(said, is);
  for (const [id, said] of Object.entries(caught)) {
    await t.step(`under load catches ${id}`, async () => {
      const side = await sideOf(id);
      const measure = async () => (await judged(side)).said;
      assertMatch(await measureAgainWhile(mayBeUntold(said), measure), said);
    });
  }
  for (const id of inComparison) {
    await t.step(`in a comparison catches ${id}`, async () => {
      const said = caught[id]!;
      assertMatch(await measureAgainWhile(mayBeUntold(said), () => compareOne(id)), said);
    });
  }
});

import {
  assert,
  assertArrayIncludes,
  assertEquals,
  assertMatch,
  assertNotMatch,
} from "@std/assert";
import { sideNames } from "../../database/database.ts";
import { findToolchain, noToolchain } from "../../impl/toolchains.ts";
import { compare } from "../../measure/compare.ts";
import { findProblems, start } from "../../measure/ground.ts";
import type { Session } from "../../measure/session.ts";
import type { Upstreams } from "../scenario.ts";
import { controlImpl } from "../../native/native.ts";
import { lastRepetition } from "../../results/outcome.ts";
import { makePlan } from "../../results/plan.ts";
import { type ReasonCode, resultSchema } from "../../results/result_schema.ts";
import { type Expected, stepsOf } from "../../testing/callers.ts";
import { groundOf } from "../../testing/ground.ts";
import { redTeamCaller } from "../../testing/red_team.ts";
import { ensureNative } from "../../tools/tools.ts";
import { exampleFacts, loadSessionOf, measureOne } from "../../testing/load_session.ts";
import { scenario } from "./mod.ts";

/** A check that must catch a cheat before a load, and what it must say. */
const verified: Expected = {
  "honest": [],
  "caches-calls": [[
    "the same item again",
    "the upstream received 1 calls: answers came from a cache, or were made up",
  ]],
  "joins-calls": [[
    "64 requests for one item at once",
    "requests were joined, or answers came from a cache, or were made up",
  ]],
  "makes-up-answers": [
    ["one call for a request", "the upstream received 0 calls: the answer was made up"],
    ["right answer", "body is"],
  ],
  "calls-twice": [["one call for a request", "the upstream received 2 calls: calls were repeated"]],
  "writes-json-again": [["right answer", "body is"]],
  "always-200": [["missing item", "status is 200"]],
  "closes-connections": [["keep-alive to the upstream", "40 connections to the upstream"]],
  "logs-requests": [["no log line per request", "the log grew"]],
};

/** The same during and after faults of the upstream. Two that are verified at a time take about as long. */
const faulty: Expected = {
  "honest": [],
  "answers-from-memory": [["upstream resets", "the right answer, which its call did not have"]],
  "500-without-upstream": [["upstream gone", "status is 500"], ["upstream hangs", "status is 500"]],
  "waits-in-turn": [
    ["upstream hangs", "no answer came within 10 s"],
    ["others meanwhile", "no answer came within 2 s, while other calls hung"],
    ["recovery from faults", "10 s after the faults had ended"],
  ],
  "tries-for-ever": [
    ["upstream resets", "no answer came within 10 s"],
    ["upstream dies", "no answer came within 10 s"],
  ],
  "gives-up-for-good": [
    ["others meanwhile", "status is 502"],
    ["recovery from faults", "status is 502, body: Bad Gateway, 10 s after the faults had ended"],
    ["upstream back", "status is 502, body: Bad Gateway, 10 s after the upstream had come back"],
  ],
  "leaves-sockets-open": [
    ["upstream resets", "the body shows"],
    ["descriptors left open", "file descriptors are open"],
  ],
  "reads-one-chunk": [["upstream is slow", "status is 200, body: {"], [
    "upstream ends too soon",
    "status is 200, body: {",
  ]],
  "leaves-calls-open": [["calls left open", "12 calls are still open"]],
  "exits-on-failure": [["upstream gone", "the process has ended with exit code 1"]],
};

/** What the load by itself must hold against each, and what it must say. */
const caught: Record<string, [code: ReasonCode, says: string]> = {
  "answers-from-memory": ["wrong-answer", "what the upstream had until"],
  "caches-calls": ["upstream-calls", "answers came from a cache, were shared by requests"],
  "joins-calls": ["upstream-calls", "shared by requests that were joined"],
  "makes-up-answers": ["upstream-calls", "or were made up"],
  "calls-twice": ["upstream-calls", "calls were repeated"],
  "closes-connections": ["upstream-connections", "they were not kept alive"],
};

const comparison = {
  ...{ budgetSeconds: 0, minRounds: 1, levels: [20], loads: 1, slices: 8 },
  ...{ sliceSeconds: 0.25, settleSeconds: 0.05, warmUpRequests: 100 },
};

async function side(id: string) {
  const impl = await redTeamCaller(id, "gateway");
  return { impl, toolchain: await findToolchain(impl) };
}

/** Returns the control ports of both sides, which any process of the same user can read. */
async function controlPorts(upstreams: Upstreams): Promise<string[]> {
  return await Promise.all(sideNames.map(async (name) => {
    const environment = await Deno.readTextFile(`/proc/${upstreams[name].pid}/environ`);
    return /\0CONTROL_PORT=(\d+)\0/.exec(`\0${environment}`)![1]!;
  }));
}

Deno.test("gateway", async (t) => {
  await using ground = await groundOf(scenario, {
    impls: [await redTeamCaller("honest", "gateway")],
  });

  await t.step("is what the control does", async () => {
    const impl = controlImpl(await ensureNative(ground));
    assertEquals(await findProblems({ impl, toolchain: noToolchain }, ground), []);
  });

  await t.step("has another probe for each start, which the upstream answers so", async () => {
    const bodies = new Set<string>();
    for (let probe = 0; probe < 3; probe++) {
      const { path, body } = await ground.scenario.probe!();
      const url = ground.upstreams!.subject.url + path.replace("/gateway", "/items");
      const text = await (await fetch(url, { headers: { connection: "close" } })).text();
      assertEquals(text, new TextDecoder().decode(body));
      bodies.add(text);
    }
    assertEquals(bodies.size, 3);
  });

  await t.step("finds a server that calls for an id without encoding it", async () => {
    await using subject = await start(await side("honest"), ground);
    const upstream = ground.upstreams!.subject.url;
    // The connections of this process go with it: later checks count those to the upstream.
    using client = Deno.createHttpClient({});
    await using careless = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => {
        const id = decodeURIComponent(new URL(request.url).pathname.replace("/gateway/", ""));
        return fetch(`${upstream}/items/${id}`, { client });
      },
    );
    const url = `http://127.0.0.1:${careless.addr.port}`;
    const problems = await ground.scenario.verifyAnswers({ ...subject, url }, ground);
    const found = problems.find(({ check }) => check === "id with a question mark");
    assertMatch(found?.sent ?? "", /^GET \/gateway\/\d+%3F$/);
    assertMatch(found?.came ?? "", /^status is 200, body: \{"id":/);
  });
  for (const step of stepsOf(verified, "verifyAnswers", ground)) await t.step(step);
  for (const step of stepsOf(faulty, "verifyFaults", ground)) await t.step(step);
  await t.step("of a server that is not there has one problem", async () => {
    await using subject = await start(await side("honest"), ground);
    await subject.process.stop();
    const problems = await ground.scenario.verifyAnswers(subject, ground);
    assertEquals(problems.map(({ check }) => check), ["server listens"]);
  });

  // Enough that items change which the server has in memory already.
  const facts = await exampleFacts(
    "gateway",
    makePlan("smoke", { levels: [50], requests: 6_000 }, 1),
  );
  const session: Session = { ...await loadSessionOf(ground), facts };
  for (const [id, [code, says]] of Object.entries(caught)) {
    await t.step(`under load catches ${id}: ${code}`, async () => {
      const { levels: [level] } = await measureOne(await side(id), 50, session);
      const { validity } = lastRepetition(level!);
      const reasons = validity.valid ? [] : validity.reasons;
      assertArrayIncludes(reasons.map(({ code }) => code), [code]);
      assert(reasons.some(({ message }) => message.includes(says)), JSON.stringify(reasons));
    });
  }
  await t.step({
    name: "a comparison tells that the rival's upstream was slowed",
    ignore: Deno.build.os !== "linux",
    async fn() {
      const control = { impl: controlImpl(await ensureNative(ground)), toolchain: noToolchain };
      const problemOf = async (id: string) => {
        const { impl, toolchain } = await side(id);
        impl.manifest.start.push((await controlPorts(ground.upstreams!)).join());
        // What is told in the warm-up is over when the load begins.
        const subject = { impl, toolchain: { ...toolchain, warmUpFactor: 1 } };
        const { levels: [level] } = await compare({ subject, reference: control }, {
          ...{ session: { ...session, mostRepeats: 0 }, seed: 1, title: id, plan: comparison },
        });
        return level!.problem ?? "";
      };
      const told = /the reference: the upstream was told (once|[\d,]+ times) to answer wrongly/;
      assertMatch(await problemOf("slows-upstream-of-rival"), told);
      assertNotMatch(await problemOf("honest"), /was told/);
    },
  });
  await t.step("has calls, the upstream's resources and the client in its result", async () => {
    const result = await measureOne(await side("honest"), 50, session);
    resultSchema.parse(JSON.parse(JSON.stringify(result)));
    assertEquals([result.impl.client?.name, result.impl.driver], ["fetch", undefined]);
    const { observation } = lastRepetition(result.levels[0]!);
    assertEquals(observation!.correct, 6_000);
    assertEquals(observation!.calls!.received, 6_000);
    assertEquals(observation!.calls!.answered, 6_000);
    assert(observation!.refused! > 0 && observation!.queries === undefined);
    assert(observation!.resources === undefined || observation!.resources.upstream !== undefined);
  });
});

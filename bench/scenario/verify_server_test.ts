import { assert, assertArrayIncludes, assertEquals, assertMatch } from "@std/assert";
import type { Database, Outage } from "../database/database.ts";
import { prepareGround } from "../testing/ground.ts";
import { formatProblem, verify, verifyStop } from "./verify.ts";

/** What each cheat must be caught at. Under load only: exit-under-load, which the measurement catches. */
const caught: Record<string, string[]> = {
  "honest": [],
  "alg-none": [
    "alg none",
    "alg none with a signature",
    "wrong token after a right one on one connection",
  ],
  "any-case-claims": [
    "email claim in capitals",
    "wrong token after a right one on one connection",
  ],
  "cached-verification": ["token that has just expired"],
  "first-identity-of-connection": [
    "two users in turn on one connection",
    "wrong token after a right one on one connection",
  ],
  "verifies-once-per-connection": ["wrong token after a right one on one connection"],
  "refuses-connection-of-wrong-token": ["right token after a wrong one on one connection"],
  "whole-seconds": ["exp has a fraction, in the future"],
  "never-expires-unless-whole": [
    "exp is 0",
    "exp is negative",
    "exp has a fraction, in the past",
    "exp is text, a time in the past",
    "exp is text without a time",
    "wrong token after a right one on one connection",
    "no query for a refused request",
  ],
  "cached-rows": ["one query per request", "row just changed", "row just set to NULL"],
  "locks-rows-for-good": ["row just changed"],
  "only-age-read": ["plain query of one record", "row just changed", "row just set to NULL"],
  "padded-batches": ["plain query of one record"],
  "validates-cache": ["plain query of one record"],
  "batches-beyond-text": ["plain query of one record"],
  "batches-of-many-texts": ["plain query of one record"],
  "joins-users": ["plain query of one record"],
  "validates-by-values": ["plain query of one record"],
  "two-queries": ["one query per request"],
  "queries-before-verifying": ["no query for a refused request"],
  "text-protocol": ["server-side prepared statements"],
  "fails-at-unusual-requests": [
    "token of 8 kB",
    "two Authorization headers",
    "HEAD /",
    "POST /",
  ],
  "mixes-two-headers": ["two Authorization headers"],
  "logs-requests": ["no log line per request"],
  "big-pool": ["size of the pool"],
};

/** Wrong in many ways, of which only the most telling one is named here. */
const caughtAmongOthers: Record<string, string> = {
  "constant-answer": "random user",
  "unverified-token": "payload changed under its signature",
  "wrong-bytes": "random user",
  "three-byte-letters": "user with a letter of four bytes in UTF-8",
  "wrong-length": "64 requests at once",
  "swapped-users": "64 requests at once",
  "tenth-500": "64 requests at once",
};

function requireOutage({ outage }: Database): Outage {
  if (outage === undefined) throw new Error("This test needs a database that it may stop");
  return outage;
}

Deno.test("verify() catches", async (t) => {
  await using ground = await prepareGround();
  const { scenario, database, options } = ground;

  for (const [id, checks] of Object.entries(caught)) {
    await t.step(`${id}: ${checks.join(", ") || "nothing"}`, async () => {
      await using subject = await ground.start(id);
      const problems = await scenario.verifyAnswers(subject, options);
      assertEquals(problems.map(({ check }) => check), checks);
    });
  }
  for (const [id, check] of Object.entries(caughtAmongOthers)) {
    await t.step(`${id}: ${check}, among others`, async () => {
      await using subject = await ground.start(id);
      const problems = await scenario.verifyAnswers(subject, options);
      assertArrayIncludes(problems.map((problem) => problem.check), [check]);
    });
  }
  await t.step("a server that is not there: one problem", async () => {
    await using subject = await ground.start("honest");
    await subject.process.stop();
    const problems = await scenario.verifyAnswers(subject, options);
    assertEquals(problems.map(({ check, came }) => `${check}: ${came}`), [
      "server listens: connection refused",
    ]);
  });
  await t.step("a server that ends while it is asked, and goes no further", async () => {
    await using subject = await ground.start("exit-under-load");
    const problems = [];
    for (let round = 0; round < 3; round++) {
      problems.push(...await scenario.verifyAnswers(subject, options));
    }
    assertEquals(problems.at(-1)?.check, "server listens");
  });
  await t.step("freezes-on-database-loss: no answer", async () => {
    await using subject = await ground.start("freezes-on-database-loss");
    const problems = await scenario.database.verifyOutage(
      subject,
      requireOutage(database),
      options,
    );
    assertEquals(problems.map(({ check, came }) => `${check}: ${came}`), [
      "database gone: no answer came within 10 s",
    ]);
  });
  await t.step("dies-on-database-loss: the process has ended", async () => {
    await using subject = await ground.start("dies-on-database-loss");
    const problems = await scenario.database.verifyOutage(
      subject,
      requireOutage(database),
      options,
    );
    assertEquals(problems.map(({ check, came }) => `${check}: ${came}`), [
      "database gone: the process has ended with exit code 1",
    ]);
  });
  await t.step("ignores-sigterm: still running", async () => {
    await using subject = await ground.start("ignores-sigterm");
    assertEquals((await verifyStop(subject, "/", options.signal)).map(formatProblem), [
      'Cannot verify "SIGTERM": the process still ran after 10 s, expected it to end by then\n' +
      "  sent: SIGTERM while an idle connection is open",
    ]);
  });
  await t.step("helper-outside-group: a process left the group", async () => {
    await using subject = await ground.start("helper-outside-group");
    const problems = await verify(subject, ground);
    assertEquals(problems.map(({ check }) => check), ["process group"]);
    assertMatch(problems[0]!.came, /^a process left the group of the server: sh -c/);
  });
  await t.step("nothing in an honest server, from its answers to its end", async () => {
    await using subject = await ground.start("honest");
    assertEquals(await verify(subject, ground), []);
    assert(subject.process.exited() !== undefined);
  });
});

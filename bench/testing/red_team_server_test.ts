import { assert, assertEquals } from "@std/assert";
import { delay } from "@std/async";
import http from "node:http";
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { readCounters } from "../database/counters.ts";
import type { Subject } from "../impl/start.ts";
import { request } from "../lib/http_client.ts";
import { freeze, thaw } from "../lib/process.ts";
import { listeningPorts } from "../machine/listening_ports.ts";
import { claimsFor, makeToken } from "../scenario/jwt_mysql/forged_tokens.ts";
import { prepareGround } from "./ground.ts";

const { signal } = new AbortController();
const [ada, brian] = ["ada.adams@example.com", "brian.brown@example.com"];

/** An answer in short: the email in it, or its status. */
type Short = string | number;

Deno.test("the red team cheats under load, and does as it says", async (t) => {
  await using ground = await prepareGround();
  const { secret, database } = ground;
  await using connection = await database.connect();
  const tokenOf = (email: string) => makeToken(claimsFor(email), { secret });
  const forged = (email: string) => makeToken(claimsFor(email), { secret: `${secret}x` });

  /** Sends tokens one after the other over one connection. */
  async function ask(
    { url }: Subject,
    tokens: string[],
    { headers = {}, agent = new http.Agent({ keepAlive: true, maxSockets: 1 }) } = {},
  ): Promise<Short[]> {
    const came: Short[] = [];
    for (const token of tokens) {
      const authorization = `Bearer ${token}`;
      const reply = await request(url, { headers: { ...headers, authorization }, agent, signal });
      if (reply.kind === "failure") throw new Error(reply.reason);
      const { status, body } = reply;
      came.push(status === 200 ? JSON.parse(new TextDecoder().decode(body)).email : status);
    }
    agent.destroy();
    return came;
  }
  async function ageOf(subject: Subject, email: string): Promise<number> {
    const headers = { authorization: `Bearer ${tokenOf(email)}` };
    const reply = await request(subject.url, { headers, signal });
    if (reply.kind === "failure") throw new Error(reply.reason);
    return JSON.parse(new TextDecoder().decode(reply.body)).age;
  }
  /** Asks for a user's age, changes it, and asks again after a while. */
  async function agesAround(subject: Subject, afterMs = 0): Promise<number[]> {
    await connection.query("UPDATE users SET age = 20 WHERE email = ?", [ada]);
    const before = await ageOf(subject, ada);
    await setAge(connection, 30);
    await delay(afterMs);
    return [before, await ageOf(subject, ada)];
  }
  const setAge = (connection: Connection, age: number) =>
    connection.query("UPDATE users SET age = ? WHERE email = ?", [age, ada]);

  /** Asks the same of several cheats. */
  async function each(
    expected: Record<string, Short[]>,
    asking: (subject: Subject) => Promise<Short[]>,
  ): Promise<void> {
    for (const [id, came] of Object.entries(expected)) {
      await t.step(id, async () => {
        await using subject = await ground.start(id);
        assertEquals(await asking(subject), came);
      });
    }
  }
  const oha = { "user-agent": "oha/1.16.0", accept: "*/*" };

  await each({
    "honest": [ada, brian, 401],
    "first-identity-of-connection": [ada, ada, ada],
    "verifies-once-per-connection": [ada, brian, brian],
    "remembers-tokens": [ada, brian, 401],
    "joins-requests": [ada, brian, 401],
    "swaps-one-in-a-thousand": [ada, brian, 401],
    "knows-user-agent-unverified": [ada, brian, 401],
    "knows-accept": [ada, brian, 401],
  }, (subject) => ask(subject, [tokenOf(ada), tokenOf(brian), forged(brian)]));

  await each({
    "honest": [401],
    "knows-user-agent-unverified": [ada],
    "knows-accept": [ada],
    "knows-user-agent": [401],
  }, (subject) => ask(subject, [forged(ada)], { headers: oha }));

  await each({
    "honest": [20, 30],
    "snapshot-with-dummy-query": [42, 42],
    "cache-of-1-s": [20, 20],
    "cache-of-10-s": [20, 20],
    "only-age-read": [20, 30],
    "honest-at-first": [20, 30],
    "honest-later": [42, 42],
    "knows-user-agent": [20, 30],
  }, async (subject) => {
    // A snapshot is of this age.
    const ages = await agesAround(subject);
    await setAge(connection, 42);
    return ages;
  });
  await each({ "cache-of-1-s": [20, 30], "cache-of-10-s": [20, 20] }, async (subject) => {
    const ages = await agesAround(subject, 1_200);
    await setAge(connection, 42);
    return ages;
  });

  await t.step("verifies-one-in-a-hundred, of many at once", async () => {
    await using subject = await ground.start("verifies-one-in-a-hundred");
    assertEquals(await ask(subject, [forged(ada)]), [401]);
    // Only requests that wait for the database are in flight beside others.
    const tokens = Array.from({ length: 500 }, () => [tokenOf(brian), forged(ada)]).flat();
    const all = await Promise.all(tokens.map((token) => ask(subject, [token])));
    const accepted = all.flat().filter((it) => it === ada).length;
    assert(accepted > 300 && accepted < 500, `${accepted} of 500 forged tokens accepted`);
  });

  /** Sends tokens over eight connections. */
  async function askMany(subject: Subject, tokens: string[]): Promise<Short[]> {
    const lanes = Array.from({ length: 8 }, (_, lane) => tokens.filter((_, at) => at % 8 === lane));
    return (await Promise.all(lanes.map((lane) => ask(subject, lane)))).flat();
  }
  const turned = { "honest-at-first": [42, 42], "honest-later": [20, 30] };
  for (const [id, ages] of Object.entries(turned)) {
    await t.step(`${id}, after 2,000 requests`, async () => {
      await using subject = await ground.start(id);
      await askMany(subject, Array(2_000).fill(tokenOf(brian)));
      assertEquals(await agesAround(subject), ages);
      await setAge(connection, 42);
    });
  }

  await t.step("swaps-one-in-a-thousand, of many at once", async () => {
    await using subject = await ground.start("swaps-one-in-a-thousand");
    const sql = "SELECT email FROM users WHERE OCTET_LENGTH(email) = 21 LIMIT 1200";
    const [rows] = await connection.query({ sql, rowsAsArray: true });
    const emails = z.array(z.tuple([z.string()])).parse(rows).flat();
    assertEquals(emails.length, 1_200);
    const came = await askMany(subject, emails.map(tokenOf));
    const missing = emails.filter((email) => !came.includes(email));
    assert(missing.length === 1 || missing.length === 0, `${missing}`);
    assertEquals(came.length, 1_200);
  });

  await t.step("joins-requests, of many at once", async () => {
    await using subject = await ground.start("joins-requests");
    const read = () => readCounters(connection, database, "subject");
    const before = await read();
    const tokens = Array(800).fill(tokenOf(ada));
    assertEquals(await askMany(subject, tokens), Array(800).fill(ada));
    const executes = (await read()).executes - before.executes;
    assert(executes > 50 && executes < 700, `${executes} executions for 800 requests`);
  });

  await t.step("helper-outside-group", async () => {
    await using subject = await ground.start("helper-outside-group");
    const port = new URL(subject.url).port;
    const outside = await untilOutside(port, subject.process.pid);
    assert(outside.length > 0);
    // It listens on the same port: if only the server were frozen, it would answer half of them.
    freeze(subject.process);
    const replies = await Promise.all(Array.from(
      { length: 20 },
      () => request(subject.url, { timeoutMs: 1_000, signal }),
    ));
    assertEquals(replies.map(({ kind }) => kind), Array(20).fill("failure"));
    thaw(subject.process);
    await subject.process.stop();
    const reply = await request(subject.url, { signal });
    assertEquals(reply.kind, "failure");
  });
});

/** Returns the processes that were given a port, but are in another process group, once one of them listens. */
async function untilOutside(port: string, group: number): Promise<number[]> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const outside: number[] = [];
    for await (const { name } of Deno.readDir("/proc")) {
      const read = (file: string) => Deno.readTextFile(`/proc/${name}/${file}`).catch(() => "");
      if (!/^\d+$/.test(name) || !(await read("environ")).includes(`\0PORT=${port}\0`)) continue;
      const [, , own] = (await read("stat")).replace(/.*\) /, "").split(" ");
      if (Number(own) !== group) outside.push(Number(name));
    }
    const listening = await Promise.all(outside.map(listeningPorts));
    if (listening.flat().includes(Number(port))) return outside;
    await delay(100);
  }
  throw new Error(`No process outside of group ${group} listens on ${port}`);
}

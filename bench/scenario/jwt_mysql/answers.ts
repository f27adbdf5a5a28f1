/**
 * Answers: does a server with a living database meet the contract? Takes a running server; asks it what the
 * right answer is known to, fast checks first, and gives every problem at once.
 */
import { delay } from "@std/async";
import http from "node:http";
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { request } from "../../lib/http_client.ts";
import { countLines } from "../../lib/count_lines.ts";
import { shuffle } from "../../lib/random.ts";
import type { CheckOptions, Target } from "../scenario.ts";
import type { Problem } from "../../results/result_schema.ts";
import { createCanary } from "./canary.ts";
import {
  type Client,
  createClient,
  describeRequest,
  judgeRecord,
  judgeStatus,
  TargetGone,
} from "./client.ts";
import { verifyCounts } from "./counts.ts";
import { askWithExpiringToken, waitUntil } from "./expiry.ts";
import { claimsFor, makeToken, refusals, unknownEmails } from "./forged_tokens.ts";
import type { Users } from "./known_users.ts";

/** What the checks know. */
export interface Knowledge {
  users: Users;
  secret: string;
  random: () => number;
  /** The account of the subject; the harness's connections may be of the same one. */
  account: string;
  /** Of the harness's own, for the duration of the checks. */
  connection: Connection;
}

const checksAtOnce = 8;
const randomUsers = 50;
const burstSize = 64;
const bursts = 4;

type Found = Problem | undefined;

/** Checks the answers of a server; see `verifyAnswers` of a scenario. */
export async function verifyAnswers(
  target: Target,
  knowledge: Knowledge,
  options: CheckOptions,
): Promise<Problem[]> {
  const { users, secret, connection } = knowledge;
  const client = createClient(target.url, secret, options.signal);
  const logLinesBefore = await countLines(target.process.logPath);
  const found: Found[] = [];
  const steps: (() => Promise<Found[]>)[] = [
    () => verifyRecords(client, users),
    () => verifyRefusals(client, users, secret),
    () => verifyConnections(client, target, users, secret, options.signal),
    () => verifyBursts(client, knowledge, options.poolMax),
    () => verifyCounts(client, connection, users.random.slice(0, 10), options.poolMax),
    () => verifyChangedRow(client, knowledge),
  ];
  try {
    const expiring = await askWithExpiringToken(client, secret, users.random[0]!);
    found.push(expiring.problem);
    // A server that answers nothing at all would keep every further check waiting.
    if (expiring.problem?.came.startsWith("no answer")) return collapse(found);
    for (const [index, step] of steps.entries()) {
      options.report.progress("verify", index, steps.length);
      found.push(...await step());
    }
    await waitUntil(expiring.deadAtMs, options.signal);
    found.push(await expiring.askAgain());
    found.push(await verifyLog(target, logLinesBefore, client.requests));
    options.report.progress("verify", steps.length, steps.length);
  } catch (error) {
    if (!(error instanceof TargetGone)) throw error;
    found.push({
      check: "server listens",
      sent: error.sent,
      came: error.message,
      expected: "an answer",
    });
  }
  return collapse(found);
}

function verifyRecords(client: Client, users: Users): Promise<Found[]> {
  const random = users.random.slice(0, randomUsers).map((user) => ({ kind: "random user", user }));
  return each([...users.special, ...random], ({ kind, user }) => client.checkUser(kind, user));
}

function verifyRefusals(client: Client, users: Users, secret: string): Promise<Found[]> {
  const [user, other] = [users.random[0]!, users.random[1]!];
  const refused = refusals(user.email, other.email, secret).map(
    ({ check, sent, headers }) => async () => {
      const reply = await client.ask(sent, headers);
      return judgeStatus(check, sent, reply, "401", (it) => it === 401);
    },
  );
  const unknown = [
    ...unknownEmails(user.email).map((it) => ({ ...it, path: "/" })),
    { check: "path /nope", email: user.email, path: "/nope" },
    { check: "path /users", email: user.email, path: "/users" },
  ].map(({ check, email, path }) => async () => {
    const reply = await client.askFor(email, path);
    return judgeStatus(check, describeRequest(email, path), reply, "404", (it) => it === 404);
  });
  return each([...refused, ...unknown], (ask) => ask());
}

async function verifyConnections(
  client: Client,
  { url }: Target,
  users: Users,
  secret: string,
  signal: AbortSignal,
): Promise<Found[]> {
  const user = users.random[0]!;
  const authorization = `Bearer ${makeToken(claimsFor(user.email), { secret })}`;
  const sent = `${describeRequest(user.email)} and accept-encoding: gzip, br`;
  const headers = { authorization, "accept-encoding": "gzip, br" };
  const reply = await client.ask(sent, headers);
  const found: Found[] = [];
  const encoding = reply.kind === "answer" ? reply.headers["content-encoding"] : undefined;
  if (encoding !== undefined) {
    found.push({
      check: "no compression",
      sent,
      came: `content-encoding is ${encoding}`,
      expected: "none",
    });
  }

  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const replies = [];
  for (let count = 0; count < 2; count++) {
    replies.push(await request(`${url}/`, { headers: { authorization }, agent, signal }));
  }
  agent.destroy();
  const twice = "GET / twice on one connection";
  found.push(...replies.map((it) => judgeRecord("keep-alive", twice, it, user)));
  if (replies[1]?.kind === "answer" && !replies[1].reusedConnection) {
    found.push({
      check: "keep-alive",
      sent: twice,
      came: "the connection was closed after the first answer",
      expected: "both answers on it",
    });
  }
  return found;
}

/** Many users at once: does each get its own record, and does the pool keep its size? */
async function verifyBursts(
  client: Client,
  { users, random, account, connection }: Knowledge,
  poolMax: number,
): Promise<Found[]> {
  const found: Found[] = [];
  let peak = 0;
  for (let burst = 0; burst < bursts; burst++) {
    const asked = shuffle(users.random, random).slice(0, burstSize);
    const answers = asked.map((user) => client.checkUser(`${burstSize} requests at once`, user));
    // Every promise of the burst ends before this returns, also when the server goes away.
    const settled = Promise.allSettled(answers);
    peak = Math.max(peak, await countConnections(connection, account));
    await settled;
    found.push(...await Promise.all(answers));
    peak = Math.max(peak, await countConnections(connection, account));
  }
  if (peak > poolMax) {
    found.push({
      check: "size of the pool",
      sent: `${burstSize} requests at once`,
      came: `the server holds ${peak} connections to the database`,
      expected: `at most ${poolMax} (DB_POOL_MAX)`,
    });
  }
  return found;
}

const processesSchema = z.array(z.object({ Id: z.number(), User: z.string() }));

async function countConnections(connection: Connection, account: string): Promise<number> {
  const [rows] = await connection.query("SHOW PROCESSLIST");
  const processes = processesSchema.parse(rows);
  const own = processes.find(({ Id }) => Id === connection.threadId)?.User;
  const count = processes.filter(({ User }) => User === account).length;
  // Where the harness has no account of its own, up to two of these are its own: this, and that of a level.
  return own === account ? Math.max(0, count - 2) : count;
}

async function verifyChangedRow(
  client: Client,
  { users, connection }: Knowledge,
): Promise<Found[]> {
  await using canary = createCanary(connection, users.canary);
  return [
    await client.checkUser("row before a change", users.canary),
    await client.checkUser("row just changed", await canary.change()),
    await client.checkUser("row just changed back", await canary.change()),
  ];
}

async function verifyLog({ process }: Target, before: number, requests: number): Promise<Found> {
  // What the server writes reaches the file a moment after the answer.
  await delay(100);
  const lines = await countLines(process.logPath) - before;
  if (lines < requests / 10) return undefined;
  return {
    check: "no log line per request",
    sent: `${requests} requests`,
    came: `the log grew by ${lines} lines`,
    expected: `less than ${Math.ceil(requests / 10)}`,
  };
}

/** Runs a check for each item, a few at once, and returns what they found in the order of the items. */
async function each<T>(items: T[], check: (item: T) => Promise<Found>): Promise<Found[]> {
  const found: Found[] = [];
  const waiting = items.entries();
  const workers = Array.from({ length: checksAtOnce }, async () => {
    for (const [index, item] of waiting) found[index] = await check(item);
  });
  // All of them have ended before the first failure is thrown: nothing goes on behind the caller's back.
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return found;
}

/** Keeps the first problem of each check, with how often it was seen. */
function collapse(found: Found[]): Problem[] {
  const problems = found.filter((problem) => problem !== undefined);
  return Object.values(Object.groupBy(problems, ({ check }) => check)).flatMap((same = []) => {
    const [first] = same;
    if (first === undefined || same.length === 1) return same;
    return [{ ...first, came: `${first.came} (and ${same.length - 1} more)` }];
  });
}

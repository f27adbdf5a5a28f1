/**
 * Answers: does a server meet the contract while its database is up? Takes a running server; sends requests with
 * known answers, fast checks first, and returns every problem.
 */
import type { Connection } from "mysql2/promise";
import { shuffle } from "../../lib/random.ts";
import { readCountersAtRest } from "../../database/counters.ts";
import type { Database } from "../../database/database.ts";
import { readPreparedOf } from "../../database/prepared_statements.ts";
import type { CheckOptions, Target } from "../scenario.ts";
import type { Problem } from "../../results/result_schema.ts";
import { type Canary, createCanary, otherValue, RowLocked } from "./canary.ts";
import {
  allEnded,
  burstSize,
  each,
  type Found,
  judgeEncoding,
  judgeStatus,
  runSteps,
  verifyKeepAlive,
} from "../checks.ts";
import { verifyBursts } from "../pool.ts";
import { type Client, createClient, describeRequest, judgeRecord } from "./client.ts";
import { verifyCounts } from "./counts.ts";
import { createExpiringToken } from "./expiry.ts";
import {
  claimsFor,
  makeToken,
  nowSeconds,
  type Refusal,
  refusals,
  unknownEmails,
} from "./forged_tokens.ts";
import type { User, Users } from "./known_users.ts";
import { limitLockWaits } from "./row_locks.ts";
import { verifyUnusualRequests } from "./unusual_requests.ts";

/** What the checks know. */
export interface Knowledge {
  users: Users;
  secret: string;
  random: () => number;
  database: Database;
  /** The harness's own connection, for the duration of the checks. */
  connection: Connection;
}

const randomUsers = 50;
/** How often each of two users asks on one connection. */
const turns = 5;

/** Checks the answers of a server; see `verifyAnswers` of a scenario. */
export function verifyAnswers(
  target: Target,
  knowledge: Knowledge,
  options: CheckOptions,
): Promise<Problem[]> {
  const { users, secret, connection, database } = knowledge;
  const { poolMax, side = "subject", signal } = options;
  const { user: account } = database.accounts[side];
  const readings = {
    counters: () => readCountersAtRest(connection, database, side),
    prepared: () => readPreparedOf(connection, database, side),
  };
  const client = createClient(target.url, secret, signal);
  const expiring = createExpiringToken(client, secret, users.random[0]!);
  return runSteps(target, client, [
    async () => [await expiring.ask()],
    () => verifyRecords(client, users),
    () => verifyFractionalExpiry(client, users.random[0]!, secret),
    () => verifyRefusals(client, users, secret),
    () => verifyConnections(client, target, users, secret, signal),
    () => verifyTurns(client, users, secret),
    () => verifyUnusualRequests(client, [users.random[0]!, users.random[1]!], secret),
    () => verifyPool(client, knowledge, account, poolMax),
    () => verifyCounts(client, readings, users.random.slice(0, 10), poolMax, secret),
    () => verifyChangedRow(client, knowledge),
    async () => [await expiring.askWhenExpired(signal)],
  ], options);
}

function verifyRecords(client: Client, users: Users): Promise<Found[]> {
  const random = users.random.slice(0, randomUsers).map((user) => ({ check: "random user", user }));
  return each([...users.special, ...random], ({ check, user }) => client.checkUser(check, user));
}

/** RFC 7519 gives times in seconds, and says that they may have a fraction. */
async function verifyFractionalExpiry(
  client: Client,
  user: User,
  secret: string,
): Promise<Found[]> {
  const exp = nowSeconds() + 3600.5;
  const authorization = `Bearer ${makeToken({ ...claimsFor(user.email), exp }, { secret })}`;
  const sent = `${describeRequest(user.email)} whose exp is ${exp}`;
  const reply = await client.ask(sent, { authorization });
  return [judgeRecord("exp has a fraction, in the future", sent, reply, user)];
}

function verifyRefusals(client: Client, users: Users, secret: string): Promise<Found[]> {
  const [user, other] = [users.random[0]!, users.random[1]!];
  const refused = refusals(user.email, other.email, secret).map(
    ({ check, sent, headers }) => async () => {
      const reply = await client.ask(sent, headers);
      return judgeStatus(check, sent, reply, 401);
    },
  );
  const unknown = [
    ...unknownEmails(user.email).map((it) => ({ ...it, path: "/" })),
    { check: "path /nope", email: user.email, path: "/nope" },
    { check: "path /users", email: user.email, path: "/users" },
  ].map(({ check, email, path }) => async () => {
    const reply = await client.askFor(email, path);
    return judgeStatus(check, describeRequest(email, path), reply, 404);
  });
  return each([...refused, ...unknown], (ask) => ask());
}

async function verifyConnections(
  client: Client,
  target: Target,
  users: Users,
  secret: string,
  signal: AbortSignal,
): Promise<Found[]> {
  const user = users.random[0]!;
  const authorization = `Bearer ${makeToken(claimsFor(user.email), { secret })}`;
  const sent = `${describeRequest(user.email)} and accept-encoding: gzip, br`;
  const headers = { authorization, "accept-encoding": "gzip, br" };
  const reply = await client.ask(sent, headers);
  return [
    judgeEncoding(sent, reply),
    ...await verifyKeepAlive(
      target,
      "/",
      { headers: { authorization }, signal },
      (check, sent, reply) => judgeRecord(check, sent, reply, user),
    ),
  ];
}

/** Is each token judged by itself, whatever came on its connection before? */
async function verifyTurns(client: Client, users: Users, secret: string): Promise<Found[]> {
  const [user, other] = [users.random[0]!, users.random[1]!];
  const wrong = refusals(user.email, other.email, secret);
  return [
    ...await client.onOneConnection((it) => askInTurn(it, user, other)),
    ...await client.onOneConnection((it) => askRightAndWrong(it, user, wrong)),
    // Once more, so that the first token of a connection is a wrong one.
    ...await client.onOneConnection((it) => askRightAndWrong(it, user, wrong, true)),
  ];
}

async function askInTurn(client: Client, user: User, other: User): Promise<Found[]> {
  const found: Found[] = [];
  for (let turn = 0; turn < turns; turn++) {
    for (const next of [user, other]) {
      found.push(await client.checkUser("two users in turn on one connection", next));
    }
  }
  return found;
}

async function askRightAndWrong(
  client: Client,
  user: User,
  wrong: Refusal[],
  isWrongFirst = false,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const [index, { sent, headers }] of wrong.entries()) {
    if (index > 0 || !isWrongFirst) {
      const check = "right token after a wrong one on one connection";
      found.push(await client.checkUser(check, user));
    }
    const check = "wrong token after a right one on one connection";
    const reply = await client.ask(sent, headers);
    found.push(judgeStatus(check, sent, reply, 401));
  }
  return found;
}

/** Many users at once: does each get its own record, and does the pool stay within its limit? */
async function verifyPool(
  client: Client,
  { users, random, connection }: Knowledge,
  account: string,
  poolMax: number,
): Promise<Found[]> {
  return await verifyBursts({ connection, account, poolMax }, (check) => {
    const asked = shuffle(users.random, random).slice(0, burstSize);
    return allEnded(asked.map((user) => client.checkUser(check, user)));
  });
}

/** Does the server read every column anew, and lock nothing? */
async function verifyChangedRow(client: Client, knowledge: Knowledge): Promise<Found[]> {
  const { users, connection, database: { accounts } } = knowledge;
  await using asking = await knowledge.database.connect();
  await limitLockWaits(connection);
  await using canary = createCanary(users.canary, { connection, asking, accounts });
  try {
    return await changeInTurn(client, users.canary, canary);
  } catch (error) {
    if (!(error instanceof RowLocked)) throw error;
    return [error.problem];
  }
}

async function changeInTurn(client: Client, user: User, canary: Canary): Promise<Found[]> {
  const found = [await client.checkUser("row before a change", user)];
  const { email: _email, ...columns } = user;
  for (const [column, value] of Object.entries(columns)) {
    const write = (value: string | number | null) => canary.write({ [column]: value });
    found.push(
      await client.checkUser("row just changed", await write(otherValue(column, value))),
      await client.checkUser("row just set to NULL", await write(null)),
      await client.checkUser("row just changed back", await write(value)),
    );
  }
  return found;
}

/**
 * Answers: does a server meet the contract while its database is up? Takes a running server; sends visits, and looks
 * for their rows over a connection of the harness's own; returns every problem.
 */
import type { Connection } from "mysql2/promise";
import { type Counters, readCountersAtRest } from "../../database/counters.ts";
import type { Database, DatabaseAddress } from "../../database/database.ts";
import { formatInteger } from "../../lib/format_integer.ts";
import { request } from "../../lib/http_client.ts";
import type { Problem } from "../../results/result_schema.ts";
import {
  allEnded,
  burstSize,
  collapse,
  each,
  type Found,
  judgeEncoding,
  judgeStatus,
  runSteps,
  verifyAbsent,
  verifyKeepAlive,
} from "../checks.ts";
import { verifyBursts } from "../pool.ts";
import type { CheckOptions, Target } from "../scenario.ts";
import {
  about,
  allowedStatements,
  countTwice,
  isAbout,
  judgeExecutes,
  judgePrepares,
  mostAround,
} from "../statements.ts";
import { type Client, createClient, describeRequest, jsonRequest, judgeAdded } from "./client.ts";
import { highestId, readRows } from "./table.ts";
import { requestBody, type Visit, type VisitRow } from "./visits.ts";

/** What the checks know. */
export interface Knowledge {
  database: Database;
  /** The harness's own connection, for the duration of the checks. */
  connection: Connection;
  /** Returns a visit that no row has. */
  newVisit: () => Visit;
}

/** What the checks share. */
interface Checking extends Knowledge {
  client: Client;
  target: Target;
  account: DatabaseAddress;
  poolMax: number;
  signal: AbortSignal;
  read: () => Promise<Counters>;
}

const counted = 200;

/** Checks the answers of a server; see `verifyAnswers` of a scenario. */
export function verifyAnswers(
  target: Target,
  knowledge: Knowledge,
  options: CheckOptions,
): Promise<Problem[]> {
  const { database, connection } = knowledge;
  const { poolMax, side = "subject", signal } = options;
  const client = createClient(target.url, { signal });
  const read = () => readCountersAtRest(connection, database, side);
  const account = database.accounts[side];
  const checking = { ...knowledge, client, target, account, poolMax, signal, read };
  return runSteps(target, client, [
    () => addAndLook("right answer", checking.newVisit(), checking),
    () => verifyRecords(checking),
    () => verifyRefusals(checking),
    () => verifyConnection(checking),
    () => verifyPool(checking),
    () => verifyCounts(checking),
  ], options);
}

/** Texts that a serialiser, a driver or a table may change. */
const specialTexts = [
  'She said "no", a\\b, and left.\nThen <b>she</b> & I came back; it\'s `late`.',
  "Zoë Müller, Łódź, 東京, 𠮷野, 👩‍🚀",
  "'); DROP TABLE visits; --",
  " ",
];

async function verifyRecords(checking: Checking): Promise<Found[]> {
  const found: Found[] = [];
  for (let count = 0; count < 9; count++) {
    found.push(...await addAndLook("right answer", checking.newVisit(), checking));
  }
  for (const text of specialTexts) {
    const visit = { ...checking.newVisit(), text };
    found.push(...await addAndLook("special letters", visit, checking));
  }
  return found;
}

/** Adds a visit, and looks for its row at once. */
async function addAndLook(
  check: string,
  visit: Visit,
  { client, connection, account }: Checking,
): Promise<Found[]> {
  const sent = describeRequest(visit);
  const before = await highestId(connection);
  const reply = await client.add(visit);
  const { found, row } = judgeAdded(check, visit, reply);
  if (row === undefined || reply.kind === "failure") return [found];
  const rows = await readRows(connection, account, before);
  const { location } = reply.headers;
  return [
    location === `/visits/${row.id}` ? undefined : {
      check: "location",
      ...{ sent, came: `location is ${location ?? "absent"}`, expected: `/visits/${row.id}` },
    },
    judgeRows(visit, rows, row.id),
  ];
}

function judgeRows(visit: Visit, rows: VisitRow[], id: number): Found {
  const is = JSON.stringify(rows);
  const expected = JSON.stringify([{ id, ...visit }]);
  if (is === expected) return undefined;
  const came = rows.length === 0 ? "there is no new row" : `the new rows are ${is}`;
  return { check: "row right after its answer", sent: describeRequest(visit), came, expected };
}

async function verifyRefusals(
  { client, target, connection, newVisit, signal }: Checking,
): Promise<Found[]> {
  const visit = newVisit();
  const { text, ...incomplete } = visit;
  const before = await highestId(connection);
  const bodies = [
    { check: "body that is no JSON", body: '{"user":' },
    { check: "body with more after its JSON", body: `${JSON.stringify(visit)} and more` },
    { check: "body that is null", body: "null" },
    { check: "body without a text", body: JSON.stringify(incomplete) },
    { check: "body with a key in capitals", body: JSON.stringify({ ...incomplete, TEXT: text }) },
  ];
  const refused = await each(bodies, async ({ check, body }) => {
    const reply = await client.post(body);
    return judgeStatus(check, `POST /visits with ${body}`, reply, [400, 422]);
  });
  const form = new URLSearchParams({ ...visit }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const formReply = await request(`${target.url}/visits`, {
    ...{ method: "POST", headers, body: form, signal },
  });
  const sent = `POST /visits with ${form}`;
  refused.push(judgeStatus("body of a form", sent, formReply, [400, 415, 422]));
  const absent = await verifyAbsent(
    ["/nope", "/visits/nope"],
    (path) => request(target.url + path, { signal }),
  );
  const after = await highestId(connection);
  const added: Found = after === before ? undefined : {
    check: "no row for a refused request",
    sent: [...bodies.map(({ body }) => body), form].join(", "),
    came: `there are rows up to ${after}`,
    expected: `${before}`,
  };
  return [...refused, ...absent, added];
}

async function verifyConnection(
  { client, target, newVisit, signal }: Checking,
): Promise<Found[]> {
  const visit = newVisit();
  const sent = `${describeRequest(visit)} and accept-encoding: gzip, br`;
  const headers = { ...jsonRequest.headers, "accept-encoding": "gzip, br" };
  const options = { ...jsonRequest, signal, body: requestBody(visit) };
  const reply = await request(`${target.url}/visits`, { ...options, headers });
  return [
    judgeEncoding(sent, reply),
    ...await verifyKeepAlive(
      target,
      "/visits",
      options,
      (check, _, reply) => judgeAdded(check, visit, reply).found,
    ),
    judgeAdded("right answer", visit, await client.add(visit)).found,
  ];
}

/** Many visits at once: does each get its own record and row, and does the pool stay within its limit? */
async function verifyPool(checking: Checking): Promise<Found[]> {
  const { client, connection, account, poolMax, newVisit } = checking;
  const before = await highestId(connection);
  return await verifyBursts({ connection, account: account.user, poolMax }, async (check) => {
    const answers = await allEnded(Array.from({ length: burstSize }, async () => {
      const visit = newVisit();
      return judgeAdded(check, visit, await client.add(visit));
    }));
    const rows = Map.groupBy(await readRows(connection, account, before), ({ id }) => id);
    return answers.map(({ found, row }) =>
      row === undefined ? found : judgeRows(row, rows.get(row.id) ?? [], row.id)
    );
  });
}

/** Counts the statements of visits one after the other. */
async function verifyCounts(
  { client, newVisit, read, poolMax, database }: Checking,
): Promise<Found[]> {
  const sent = `${counted} visits, one after the other`;
  return await countTwice(async () => {
    const before = await read();
    for (let index = 0; index < counted; index++) await client.add(newVisit());
    const after = await read();
    const around = after.around - before.around;
    return collapse([
      judgeInserts(sent, after.questions - before.questions - around) ??
        judgeExecutes(sent, after.executes - before.executes, counted),
      judgePrepares(sent, after.prepares - before.prepares, poolMax),
      judgeAround(sent, around),
      ...(database.counting.per === "account" ? judgeEffects(sent, before, after) : []),
    ]);
  });
}

function judgeInserts(sent: string, statements: number): Found {
  if (isAbout(statements, counted)) return undefined;
  return {
    check: "one insert per request",
    sent,
    came: `the database counted ${
      formatInteger(statements)
    } statements that are not around a transaction`,
    expected: about(counted),
  };
}

function judgeAround(sent: string, around: number): Found {
  if (around <= mostAround * counted + allowedStatements) return undefined;
  return {
    check: "statements around an insert",
    sent,
    came: `the database counted ${formatInteger(around)} statements that begin or end transactions`,
    expected: `at most ${formatInteger(mostAround * counted)}`,
  };
}

/** Checks what only an account's own counters tell. */
function judgeEffects(sent: string, before: Counters, after: Counters): Found[] {
  const transactions = after.transactions! - before.transactions!;
  const rows = after.rowsRead! - before.rowsRead!;
  return [
    transactions >= counted ? undefined : {
      check: "one transaction per request",
      sent,
      came: `the database counted ${formatInteger(transactions)} transactions`,
      expected: `${counted}`,
    },
    rows === counted ? undefined : {
      check: "one insert per request",
      sent,
      came: `the database counted ${formatInteger(rows)} rows`,
      expected: `${counted}`,
    },
  ];
}

/**
 * What did the database do for one side? Reads the counters of its account, which neither the harness nor the other
 * side can move; where the server counts none, those of the whole server, minus the harness's own statements.
 */
import { isDeepStrictEqual } from "node:util";
import { delay } from "@std/async";
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { connectTo, orRunBroken } from "./connection.ts";
import type { Counting, Database, DatabaseAddress, SideName } from "./database.ts";
import { ownStatements } from "./own_statements.ts";
import { queryRows } from "./query_rows.ts";
import { BenchError, messageOf, RunBroken } from "../lib/error.ts";

/** Counters that only grow while the server lives, and what is so at the moment. */
export interface Counters {
  /** Statements that clients sent, executions of prepared ones included; prepares and pings are none. */
  questions: number;
  executes: number;
  prepares: number;
  /** Round trips that are neither questions nor prepares: pings, resets of statements and of connections. */
  adminCommands: number;
  /**
   * Rows of tables that the storage engine was asked for, found or not, or wrote: one for each lookup by key. Absent where
   * accounts are not counted, because the harness's own statements read rows, too.
   */
  rowsRead?: number;
  /** Those of the questions that begin or end a transaction, or set a variable, as `autocommit`. */
  around: number;
  /** Transactions that read or wrote rows, those of a single statement included. Absent like {@linkcode rowsRead}. */
  transactions?: number;
  openConnections: number;
  /**
   * Connections opened since the server started. Where accounts are counted, no more can have been open at a time than
   * were open before and opened since.
   */
  openedConnections: number;
  /** Statements in execution. Where accounts are not counted, some threads of the server's own are among them. */
  running: number;
}

/** Status variables of the server. */
const ofServer = [
  "Questions",
  "Com_stmt_execute",
  "Com_stmt_prepare",
  "Com_admin_commands",
  "Com_stmt_reset",
  "Com_stmt_fetch",
  "Com_begin",
  "Com_commit",
  "Com_rollback",
  "Com_set_option",
  "Threads_connected",
  "Connections",
  "Threads_running",
];

/**
 * Reads the counters of one side, with one statement.
 *
 * @param connection A connection of the harness's own, from {@linkcode Database.connect}.
 * @throws {RunBroken} when the server does not answer.
 */
export async function readCounters(
  connection: Connection,
  database: Pick<Database, "accounts" | "counting">,
  side: SideName,
): Promise<Counters> {
  const { user } = database.accounts[side];
  return await orRunBroken(() =>
    database.counting.per === "account" ? readOfAccount(connection, user) : readOfServer(connection)
  );
}

/** A server counts a statement after its answer was sent: on busy processors, long after. */
const countedWithinMs = 5_000;
const pollMs = 20;

/** So long must readings agree: a thread that has answered needs a processor once more to count. */
const restMs = 100;

/**
 * Reads the counters of one side as {@linkcode readCounters} does, when they no longer grow: when readings have agreed for
 * 100 ms and none of its statements is in execution, or after 5 s.
 */
export async function readCountersAtRest(
  connection: Connection,
  database: Pick<Database, "accounts" | "counting">,
  side: SideName,
): Promise<Counters> {
  const deadlineMs = performance.now() + countedWithinMs;
  let before = await readCounters(connection, database, side);
  let sinceMs = performance.now();
  while (true) {
    await delay(pollMs);
    const counters = await readCounters(connection, database, side);
    // Of a whole server, threads of its own may be running.
    const isIdle = counters.running === 0 || database.counting.per === "server";
    const hasGrown = !isDeepStrictEqual({ ...counters, running: before.running }, before);
    const nowMs = performance.now();
    if (hasGrown || !isIdle) sinceMs = nowMs;
    if (nowMs - sinceMs >= restMs || nowMs > deadlineMs) return counters;
    before = counters;
  }
}

const rowSchema = z.tuple([z.string(), z.coerce.number()]);

async function readRows(
  connection: Connection,
  sql: string,
  values: Record<string, string> = {},
): Promise<Map<string, number>> {
  return new Map(await queryRows(connection, rowSchema, sql, values));
}

/**
 * These tables have what living and ended connections of a user did, also while they run statements. `status_by_user`
 * has not: it lacks `Com_…`, and forgets the rest when a connection resets itself, as some pools do after each use.
 */
const accountSql = `
  SELECT EVENT_NAME, COUNT_STAR
  FROM performance_schema.events_statements_summary_by_user_by_event_name
  WHERE USER = :user AND COUNT_STAR > 0
  UNION ALL SELECT EVENT_NAME, COUNT_STAR
  FROM performance_schema.events_waits_summary_by_user_by_event_name
  WHERE USER = :user AND EVENT_NAME = :rows
  UNION ALL SELECT EVENT_NAME, COUNT_STAR
  FROM performance_schema.events_transactions_summary_by_user_by_event_name
  WHERE USER = :user
  UNION ALL SELECT 'current', CURRENT_CONNECTIONS FROM performance_schema.users WHERE USER = :user
  UNION ALL SELECT 'total', TOTAL_CONNECTIONS FROM performance_schema.users WHERE USER = :user
  UNION ALL SELECT 'running', COUNT(*) FROM performance_schema.threads
  WHERE PROCESSLIST_USER = :user AND PROCESSLIST_COMMAND IN ('Query', 'Execute')`;

/** Statements that begin or end a transaction, or set a variable. */
const aroundEvents = ["begin", "commit", "rollback", "set_option"]
  .map((name) => `statement/sql/${name}`);
const [execute, prepare] = ["statement/com/Execute", "statement/com/Prepare"] as const;
/** The server waits for its storage engine to find or change one row of a table. */
const rows = "wait/io/table/sql/handler";
/** Commands of the protocol whose answer a client waits for, and that are no statements. */
export const adminCommands = [
  "Ping",
  "Statistics",
  "Debug",
  "Reset Connection",
  "Reset stmt",
  "Fetch",
  "Change user",
  "Init DB",
]
  .map((command) => `statement/com/${command}`);

/** Reads the counters of one account. */
async function readOfAccount(connection: Connection, user: string): Promise<Counters> {
  const values = await readRows(connection, accountSql, { user, rows });
  const read = readFrom(values, `of the account "${user}"`);
  /** An event that never happened has no row. */
  const sum = (is: (name: string) => boolean) => {
    let total = 0;
    for (const [name, value] of values) if (is(name)) total += value;
    return total;
  };
  return {
    questions: sum((name) => name.startsWith("statement/sql/") || name === execute),
    executes: sum((name) => name === execute),
    prepares: sum((name) => name === prepare),
    adminCommands: sum((name) => adminCommands.includes(name)),
    rowsRead: read(rows),
    around: sum((name) => aroundEvents.includes(name)),
    transactions: read("transaction"),
    openConnections: read("current"),
    openedConnections: read("total"),
    running: read("running"),
  };
}

/** Reads the counters of the whole server, without what the harness's own connections did. */
async function readOfServer(connection: Connection): Promise<Counters> {
  const list = ofServer.map((name) => `'${name}'`).join(", ");
  const values = await readRows(
    connection,
    `SHOW GLOBAL STATUS WHERE Variable_name IN (${list})`,
  );
  const read = readFrom(values, "of the server");
  // This reading is among them on both sides.
  const own = ownStatements(connection);
  return {
    questions: read("Questions") - own.questions,
    executes: read("Com_stmt_execute") - own.executes,
    prepares: read("Com_stmt_prepare") - own.prepares,
    around: read("Com_begin") + read("Com_commit") + read("Com_rollback") + read("Com_set_option"),
    adminCommands: read("Com_admin_commands") + read("Com_stmt_reset") + read("Com_stmt_fetch"),
    openConnections: read("Threads_connected") - own.openConnections,
    openedConnections: read("Connections") - own.openedConnections,
    running: Math.max(0, read("Threads_running") - 1),
  };
}

function readFrom(values: Map<string, number>, whose: string): (name: string) => number {
  return (name) => {
    const value = values.get(name);
    if (value !== undefined) return value;
    throw new BenchError(
      `Cannot read the database's counter "${name}" ${whose}: it has none, expected a number`,
    );
  };
}

/**
 * Tells whether the server counts the statements of each account, and lets this connection read that: by an account
 * that sends two. A server may have the tables, and count nothing (MariaDB's `performance_schema` is off by default).
 */
export async function findCounting(
  connection: Connection,
  account: DatabaseAddress,
): Promise<Counting> {
  try {
    const before = await readOfAccount(connection, account.user);
    // Without a database: where its tables are missing, the account has no rights on it.
    await using ours = await connectTo({ ...account, name: "" });
    await ours.query("SELECT 1");
    await ours.execute("SELECT 1");
    const deadlineMs = performance.now() + countedWithinMs;
    while (true) {
      const missing = missingOf(before, await readOfAccount(connection, account.user));
      if (missing === undefined) {
        const reason = await offBySetting(connection);
        return reason === undefined ? { per: "account" } : { per: "server", reason };
      }
      if (performance.now() > deadlineMs) return { per: "server", reason: missing };
      await delay(pollMs);
    }
  } catch (cause) {
    return { per: "server", reason: messageOf(cause) };
  }
}

/**
 * As {@linkcode findCounting}, of a server that Backbench started: its accounts must be counted, because changes of rows
 * come from other connections of the harness.
 *
 * @throws {RunBroken} when they are not.
 */
export async function requireCounting(
  connection: Connection,
  account: DatabaseAddress,
): Promise<Counting> {
  const counting = await findCounting(connection, account);
  if (counting.per === "account") return counting;
  throw new RunBroken(
    `Cannot count the statements of an account on the server that was started: ${counting.reason}`,
    { help: "Try again on a machine that does less else." },
  );
}

/** Names what the settings of the server keep it from counting; undefined if it counts all. */
async function offBySetting(connection: Connection): Promise<string | undefined> {
  const isCounted = await readRows(
    connection,
    `SELECT NAME, ENABLED = 'YES' FROM performance_schema.setup_instruments
    WHERE NAME IN ('${rows}', 'transaction')
    UNION ALL SELECT 'prepared statements', @@performance_schema_max_prepared_statements_instances <> 0`,
  );
  const off = [...isCounted].flatMap(([name, counts]) => counts === 0 ? [name] : []);
  return off.length === 0 ? undefined : `the server is set not to count: ${off.join(", ")}`;
}

/** Says what the server did not count of two statements, of which one was prepared; undefined if it counted all. */
function missingOf(before: Counters, after: Counters): string | undefined {
  for (const [counter, expected] of [["questions", 2], ["executes", 1], ["prepares", 1]] as const) {
    const counted = after[counter] - before[counter];
    if (counted !== expected) return `the server counted ${counted} of ${expected} ${counter}`;
  }
  return undefined;
}

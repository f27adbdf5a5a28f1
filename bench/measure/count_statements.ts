/**
 * Count statements: what does one side send to its database during a load? Takes the harness's own connection; returns
 * how much the counters of that side grew.
 */
import type { Connection } from "mysql2/promise";
import { type Counters, readCounters } from "../database/counters.ts";
import type { Database, SideName } from "../database/database.ts";
import {
  preparedBetween,
  type PreparedStatement,
  readPreparedOf,
} from "../database/prepared_statements.ts";
import { formatInteger } from "../lib/format_integer.ts";
import { sum, sumOf } from "../lib/sum.ts";
import type { LoadFacts, Queries } from "../results/load_schema.ts";
import type { DatabasePart } from "../scenario/scenario.ts";
import { type InStepOptions, outOfStep, type Reading } from "./in_step.ts";
import { alwaysAllowed, limits } from "./limits.ts";

/** A running count. */
export interface StatementCount {
  /** Reads how many statements the side has sent since the count began. */
  read(): Promise<number>;
  /** Reads what may be gone at the end, while the side does nothing: its connections, and what their statements did. */
  look(): Promise<void>;
  /** Ends the count of a load that lasted from `beginMs` to `endMs`, in milliseconds of `performance.now()`. */
  finish(beginMs: number, endMs: number): Promise<Statements>;
}

/** What the database did for one side during a load. */
export interface Statements {
  statements: number;
  executes: number;
  prepares: number;
  /** Administrative commands, mostly pings. */
  pings: number;
  /** Absent where accounts are not counted. */
  rowsRead?: number;
  /** Those of the statements that begin or end a transaction, or set a variable. */
  around: number;
  /** Absent where accounts are not counted. */
  transactions?: number;
  /** What each prepared statement did, by the last reading of each; none where accounts are not counted. */
  prepared: PreparedStatement[];
  /** Executions between two readings, at most: what an ended connection did after it was last read. */
  mostUnread: number;
  /** Each time that the counters were read. */
  readings: Reading[];
  /** Connections that the side opened. */
  opened: number;
  /** Most connections that were seen at one time. */
  peakConnections: number;
  /** Mean number of statements in execution; absent without a sample. */
  meanRunning?: number;
}

/** Begins to count. */
export async function countStatements(
  connection: Connection,
  database: Pick<Database, "accounts" | "counting">,
  side: SideName,
): Promise<StatementCount> {
  const readings: { beginMs: number; endMs: number; isAtWork: boolean; counters: Counters }[] = [];
  const prepared = new Map<string, PreparedStatement>();
  const read = async (isAtWork: boolean) => {
    const beginMs = performance.now();
    // Before the counters, which then have all that was listed.
    for (const [id, statement] of await readPreparedOf(connection, database, side)) {
      prepared.set(id, statement);
    }
    const counters = await readCounters(connection, database, side);
    readings.push({ beginMs, endMs: performance.now(), isAtWork, counters });
    return counters;
  };
  const before = await read(false);
  const preparedBefore = new Map(prepared);
  return {
    read: async () => {
      const { questions, around } = await read(true);
      return questions - before.questions - (around - before.around);
    },
    look: async () => void await read(false),
    finish: async (beginMs, endMs) => {
      const after = await read(false);
      const running = readings
        .filter((reading) => reading.isAtWork && beginMs <= reading.endMs && reading.endMs <= endMs)
        .map(({ counters }) => counters.running);
      const executes = readings.map(({ counters }) => counters.executes);
      const { rowsRead, transactions } = before;
      return {
        statements: after.questions - before.questions,
        executes: after.executes - before.executes,
        prepares: after.prepares - before.prepares,
        pings: after.adminCommands - before.adminCommands,
        rowsRead: rowsRead === undefined ? undefined : (after.rowsRead ?? rowsRead) - rowsRead,
        around: after.around - before.around,
        transactions: transactions === undefined
          ? undefined
          : (after.transactions ?? transactions) - transactions,
        prepared: preparedBetween(preparedBefore, prepared),
        mostUnread: Math.max(...executes.slice(1).map((count, index) => count - executes[index]!)),
        readings: readings.slice(1).map(({ beginMs, endMs, counters }) => ({
          ...{ beginMs, endMs },
          executes: counters.executes - before.executes,
        })),
        opened: after.openedConnections - before.openedConnections,
        peakConnections: Math.max(...readings.map(({ counters }) => counters.openConnections)),
        meanRunning: running.length === 0 ? undefined : sum(running) / running.length,
      };
    },
  };
}

/** Says what of a side's use of the database could not be counted; undefined where everything was. */
export function notCounted(
  counting: Database["counting"],
  count: StatementCount | undefined,
): LoadFacts["notCounted"] {
  if (counting.per === "account") return undefined;
  const what = count === undefined
    ? "statements of each side"
    : "rows read, transactions, and the texts of prepared statements";
  return [`${what}: ${counting.reason}`];
}

/** Options for {@linkcode describeStatements}. */
export interface DescribeOptions
  extends Pick<DatabasePart, "statementProblem">, Omit<InStepOptions, "failed"> {
  /** Whether each request writes. */
  writes: boolean;
}

/**
 * Returns how many executions may be gone with connections that a pool replaced: what they did since they were last read,
 * as often as it may have replaced all; no more than between two readings, or one in twenty. More would hide other statements.
 */
function mostGone(
  { executes, mostUnread, opened, peakConnections }: Statements,
): number {
  const times = Math.ceil(opened / Math.max(1, peakConnections));
  return Math.min(times * mostUnread, Math.max(mostUnread, executes / 20));
}

/** Describes what was counted for a load of so many requests, of which so many were to be statements. */
export function describeStatements(
  counted: Statements,
  { attempted, correct, refused }: Pick<LoadFacts, "attempted" | "correct" | "refused">,
  { expected, writes, statementProblem, ...answers }: DescribeOptions,
): Queries {
  const { statements, executes, pings, rowsRead, around, transactions, prepared } = counted;
  const { prepares, peakConnections, meanRunning } = counted;
  // A pool may have one of its own, to see now and then whether a connection lives.
  const most = Math.max(limits.queries * attempted, alwaysAllowed.statements);
  // All together: of many texts, none is executed often.
  const found = prepared.flatMap((statement) => {
    const problem = statementProblem?.(statement);
    return problem === undefined ? [] : [{ problem, ...statement }];
  });
  const problems = sumOf(found, ({ executions }) => executions) > most
    ? found.toSorted((a, b) => b.executions - a.executions).map(({ problem }) => problem)
      .slice(0, 10)
    : [];
  const unseen = executes - sumOf(prepared, ({ executions }) => executions);
  const gone = mostGone(counted);
  // Rows are counted where statements are listed.
  if (statementProblem !== undefined && rowsRead !== undefined && unseen > most + gone) {
    const [some, all] = [unseen, executes].map(formatInteger);
    problems.unshift(
      `of ${some} of ${all} executions is gone, expected it to stay until the load has ended`,
    );
  }
  // One that is not the query of a record may have returned those of many.
  const rowsSent = sumOf(prepared, (it) => it.rowsSent) - sumOf(found, (it) => it.rowsSent);
  const records = correct - refused;
  if (
    statementProblem !== undefined && rowsRead !== undefined && problems.length === 0 &&
    records - rowsSent > most + gone
  ) {
    const [some, all] = [rowsSent, records].map(formatInteger);
    problems.push(
      `of all executions returned ${some} rows for ${all} records, expected one for each`,
    );
  }
  const perRequest = (count: number) => count / Math.max(1, attempted);
  return {
    perRequest: perRequest(statements),
    expectedPerRequest: perRequest(expected),
    executesPerRequest: perRequest(executes),
    pingsPerRequest: perRequest(pings),
    rowsReadPerRequest: rowsRead === undefined ? undefined : perRequest(rowsRead),
    aroundPerRequest: writes ? perRequest(around) : undefined,
    transactionsPerRequest: writes && transactions !== undefined
      ? perRequest(transactions)
      : undefined,
    problems: problems.length === 0 ? undefined : problems,
    outOfStep: outOfStep(counted.readings, {
      ...answers,
      expected,
      failed: attempted - correct,
    }),
    prepares,
    peakConnections,
    meanRunning,
  };
}

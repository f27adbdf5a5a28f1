/**
 * Row locks: whose lock does a change of a row wait for? A server that only reads may lock what it reads (`SELECT … FOR
 * SHARE` takes no right but SELECT): then rows cannot change, and what it remembers of them stays right. While a change is
 * pending, another connection asks who blocks it.
 */
import { delay } from "@std/async";
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { type Database, type SideName, sideNames } from "../../database/database.ts";
import { queryRows } from "../../database/query_rows.ts";
import { messageOf, RunBroken } from "../../lib/error.ts";

/** A change that waited for a lock of a side's. Times are those of `performance.now()`. */
export interface RowLock {
  side: SideName;
  /** When the change was sent. */
  fromMs: number;
  /** When it was made or given up; Infinity until then. */
  untilMs: number;
}

/** Options for {@linkcode changeRow}. */
export interface ChangeRowOptions {
  /** Over which the change is made, after {@linkcode limitLockWaits}. */
  connection: Connection;
  /** Over which it is asked who blocks it. */
  asking: Connection;
  accounts: Database["accounts"];
  /** Receives what is found, while the change waits. */
  locks: RowLock[];
  /** What is changed, as messages name it. */
  row: string;
  /** After it, a lock is no longer waited for. */
  stop: AbortSignal;
}

/** How often it is asked, first after as long: what a server remembers for less saves it next to nothing. */
const askEveryMs = 50;
/** After each, MySQL ends a statement that waits for a lock. */
const waitSeconds = 1;
/** So often may a change wait as long without a lock that is found: a busy machine may ask too late. */
const mostUnexplained = 3;
/** Errors of the server: https://dev.mysql.com/doc/mysql-errors/9.0/en/server-error-reference.html */
const [lockWaitTimeout, deadlock] = [1205, 1213];

/** Limits how long statements of a connection wait for a lock: to one second. */
export async function limitLockWaits(connection: Connection): Promise<void> {
  await connection.query(
    `SET SESSION innodb_lock_wait_timeout = ${waitSeconds}, SESSION lock_wait_timeout = ${waitSeconds}`,
  );
}

/**
 * Changes a row as soon as no side has locked it, however long that takes. Returns whether it was changed: not if a lock
 * was in the way when it was to stop.
 *
 * @throws {RunBroken} when it stays locked, and not by a side.
 */
export async function changeRow(
  change: () => Promise<unknown>,
  { connection, asking, accounts, locks, row, stop }: ChangeRowOptions,
): Promise<boolean> {
  const found: RowLock[] = [];
  const others = new Set<string>();
  const fromMs = performance.now();
  const add = (user: string) => {
    const holders = sideNames.filter((side) => accounts[side].user === user);
    if (holders.length === 0) others.add(user);
    for (const side of holders) {
      if (found.some((lock) => lock.side === side)) continue;
      const lock = { side, fromMs, untilMs: Infinity };
      found.push(lock);
      locks.push(lock);
    }
  };
  const blockers = watchBlockers(() => blockersOf(connection, asking), add);
  try {
    for (let unexplained = 0;;) {
      try {
        await change();
        return true;
      } catch (error) {
        const code = errorCode(error);
        if (code !== lockWaitTimeout && code !== deadlock) throw error;
        if (stop.aborted) return false;
        // Who holds some locks and waits for others can have a deadlock at once, before anybody is asked.
        if (code === deadlock || found.length > 0) continue;
        if (++unexplained === mostUnexplained) {
          throw stayedLocked(row, others, blockers.failure());
        }
      }
    }
  } finally {
    await blockers.end();
    for (const lock of found) lock.untilMs = performance.now();
  }
}

/** Counts the changes that waited for a lock of a side's at some time from `fromMs` to `toMs`. */
export function countLocks(
  locks: readonly RowLock[],
  side: SideName,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): number {
  return locks.filter((lock) => lock.side === side && lock.fromMs <= toMs && lock.untilMs >= fromMs)
    .length;
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && "errno" in error ? error.errno : undefined;
}

function stayedLocked(row: string, others: ReadonlySet<string>, failure?: string): RunBroken {
  const by = others.size === 0 ? "" : ` by ${[...others].map((user) => `"${user}"`).join(", ")}`;
  const unknown = failure === undefined
    ? ""
    : `. Whether a server under test does cannot be told here: ${failure}`;
  return new RunBroken(
    `Cannot change the row of "${row}": it stays locked${by}, expected no lock`,
    {
      help: `Another program locks the table. No other may during a measurement${unknown}`,
    },
  );
}

/** Asks again and again, until it is ended. */
function watchBlockers(ask: () => Promise<string[]>, add: (user: string) => void) {
  const ending = new AbortController();
  let failure: string | undefined;
  const watch = async () => {
    while (true) {
      await delay(askEveryMs, { signal: ending.signal }).catch(() => {});
      if (ending.signal.aborted) return;
      for (const user of await ask()) add(user);
    }
  };
  // MariaDB does not tell, nor MySQL everybody.
  const watching = watch().catch((error) => {
    failure = messageOf(error);
  });
  return {
    /** Returns why nobody could be asked; undefined if they could. */
    failure: () => failure,
    end: async () => {
      ending.abort();
      await watching;
    },
  };
}

/** Returns the users whose locks a connection waits for. */
async function blockersOf(connection: Connection, asking: Connection): Promise<string[]> {
  const sql = `
    SELECT DISTINCT holder.PROCESSLIST_USER
    FROM performance_schema.threads AS waiting
    JOIN performance_schema.data_lock_waits AS waits
      ON waits.REQUESTING_THREAD_ID = waiting.THREAD_ID
    JOIN performance_schema.threads AS holder ON holder.THREAD_ID = waits.BLOCKING_THREAD_ID
    WHERE waiting.PROCESSLIST_ID = ? AND holder.PROCESSLIST_USER IS NOT NULL`;
  return (await queryRows(asking, z.tuple([z.string()]), sql, [connection.threadId])).flat();
}

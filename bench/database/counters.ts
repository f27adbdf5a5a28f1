import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { BenchError, messageOf, RunBroken } from "../lib/error.ts";

/** The server's own counters, since it started. Its `Questions` leaves out prepares and pings. */
export interface Counters {
  /** Statements that clients sent, executions of prepared ones included. */
  questions: number;
  executes: number;
  prepares: number;
  /** Administrative commands, mostly pings; neither questions nor executions. */
  adminCommands: number;
  /** The most connections at one time since the last FLUSH STATUS. */
  peakConnections: number;
  openConnections: number;
  /** Threads that are not asleep: one for each statement in execution, this reading's and some of the server's own. */
  runningThreads: number;
}

const names = {
  Questions: "questions",
  Com_stmt_execute: "executes",
  Com_stmt_prepare: "prepares",
  Com_admin_commands: "adminCommands",
  Max_used_connections: "peakConnections",
  Threads_connected: "openConnections",
  Threads_running: "runningThreads",
} as const satisfies Record<string, keyof Counters>;

const rowsSchema = z.array(z.object({ Variable_name: z.string(), Value: z.coerce.number() }));

/**
 * Reads the counters with one statement, which counts as a question itself.
 *
 * @throws {RunBroken} when the server does not answer.
 */
export async function readCounters(connection: Connection): Promise<Counters> {
  const list = Object.keys(names).map((name) => `'${name}'`).join(", ");
  const [rows] = await connection.query(`SHOW GLOBAL STATUS WHERE Variable_name IN (${list})`)
    .catch((cause) => {
      throw new RunBroken(
        `Cannot read the database's counters: ${messageOf(cause)}, expected the server to live`,
        {
          help:
            "The levels that were complete are kept: go on with `just bench --resume <run-id>`.",
          cause,
        },
      );
    });
  const values = new Map(
    rowsSchema.parse(rows).map((row) => [row.Variable_name, row.Value]),
  );
  const read = (name: keyof typeof names) => {
    const value = values.get(name);
    if (value === undefined) {
      throw new BenchError(
        `Cannot read the database's counter "${name}": it has none of that name`,
      );
    }
    return value;
  };
  return {
    questions: read("Questions"),
    executes: read("Com_stmt_execute"),
    prepares: read("Com_stmt_prepare"),
    adminCommands: read("Com_admin_commands"),
    peakConnections: read("Max_used_connections"),
    openConnections: read("Threads_connected"),
    runningThreads: read("Threads_running"),
  };
}

/**
 * Resets `Max_used_connections`; returns whether it worked. A user without the privilege RELOAD may not, and newer
 * MariaDB resets the session's status only.
 */
export async function resetPeakConnections(connection: Connection): Promise<boolean> {
  try {
    await connection.query("FLUSH STATUS");
  } catch {
    return false;
  }
  const { peakConnections, openConnections } = await readCounters(connection);
  return peakConnections <= openConnections;
}

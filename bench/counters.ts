import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { BenchError, messageOf, RunBroken } from "./error.ts";

/** The server's own counters, since it started. Its `Questions` leaves out prepares and pings. */
export interface Counters {
  /** Statements that clients sent, executions of prepared ones included. */
  questions: number;
  executes: number;
  prepares: number;
  /** The most connections at one time since the last FLUSH STATUS. */
  peakConnections: number;
}

const names = {
  Questions: "questions",
  Com_stmt_execute: "executes",
  Com_stmt_prepare: "prepares",
  Max_used_connections: "peakConnections",
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
    peakConnections: read("Max_used_connections"),
  };
}

/** Makes `Max_used_connections` begin anew; tells whether the server allowed it. */
export async function resetPeakConnections(connection: Connection): Promise<boolean> {
  try {
    await connection.query("FLUSH STATUS");
    return true;
  } catch {
    // A user without the right RELOAD: the peak of connections is then absent from the result.
    return false;
  }
}

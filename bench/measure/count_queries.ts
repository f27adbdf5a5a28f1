/**
 * Count queries: what does the subject send to its database during a load? Takes the harness's own connection, which
 * nothing else may use meanwhile; returns the server's counters, minus what the subject did not cause.
 */
import type { Connection } from "mysql2/promise";
import { readCounters, resetPeakConnections } from "../database/counters.ts";
import type { Observation } from "../results/result_schema.ts";
import type { SideClientReport } from "../scenario/scenario.ts";

/** A running count. */
export interface QueryCount {
  /** Reads how many statements clients have sent, without those of this count. */
  read(): Promise<number>;
  /** Ends the count; times are those of `performance.now()`. */
  finish(
    load: { beginMs: number; endMs: number; requests: number; side?: SideClientReport },
  ): Promise<NonNullable<Observation["queries"]>>;
}

/** What the database did for the subject at one moment. */
interface Reading {
  atMs: number;
  running: number;
}

/** Begins to count. */
export async function countQueries(connection: Connection): Promise<QueryCount> {
  const isPeakKnown = await resetPeakConnections(connection);
  const before = await readCounters(connection);
  const readings: Reading[] = [];
  return {
    read: async () => {
      const { questions, runningThreads } = await readCounters(connection);
      // The reading itself is running, too, and so may threads of the server.
      const running = Math.max(0, runningThreads - before.runningThreads);
      readings.push({ atMs: performance.now(), running });
      return Math.max(0, questions - before.questions - readings.length);
    },
    finish: async ({ beginMs, endMs, requests, side }) => {
      const after = await readCounters(connection);
      const { queries = 0, statements = 0 } = side ?? {};
      // The harness's own: the readings, this one included, and the side client's statements.
      const ours = readings.length + 1 + statements;
      // After the load, the load generator stores its rows while readings continue.
      const running = readings.filter(({ atMs }) => beginMs <= atMs && atMs <= endMs)
        .map((reading) => reading.running);
      return {
        perRequest: (after.questions - before.questions - ours - queries) / requests,
        executesPerRequest: (after.executes - before.executes - queries) / requests,
        prepares: after.prepares - before.prepares,
        pingsPerRequest: (after.adminCommands - before.adminCommands) / requests,
        // Two connections are the harness's: the one given here, and the side client's.
        peakConnections: isPeakKnown ? Math.max(0, after.peakConnections - 2) : undefined,
        meanRunning: running.length === 0
          ? undefined
          : running.reduce((total, value) => total + value, 0) / running.length,
      };
    },
  };
}

/**
 * Count queries: what does the subject have its database do while a load runs? Takes a connection of the harness's
 * own, which nothing else may use meanwhile; gives what the server's counters tell, less what is not the subject's.
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

/** What the subject had the database do at one moment. */
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
      // The reading itself is one of those that run, and so may be threads of the server's own.
      const running = Math.max(0, runningThreads - before.runningThreads);
      readings.push({ atMs: performance.now(), running });
      return Math.max(0, questions - before.questions - readings.length);
    },
    finish: async ({ beginMs, endMs, requests, side }) => {
      const after = await readCounters(connection);
      const { queries = 0, statements = 0 } = side ?? {};
      // Ours: the readings, this one, and what the side client asked the database itself.
      const ours = readings.length + 1 + statements;
      // After the load, the load generator stores its rows while we go on reading.
      const running = readings.filter(({ atMs }) => beginMs <= atMs && atMs <= endMs)
        .map((reading) => reading.running);
      return {
        perRequest: (after.questions - before.questions - ours - queries) / requests,
        executesPerRequest: (after.executes - before.executes - queries) / requests,
        prepares: after.prepares - before.prepares,
        pingsPerRequest: (after.adminCommands - before.adminCommands) / requests,
        // Two connections are ours: the one given here, and the side client's.
        peakConnections: isPeakKnown ? Math.max(0, after.peakConnections - 2) : undefined,
        meanRunning: running.length === 0
          ? undefined
          : running.reduce((total, value) => total + value, 0) / running.length,
      };
    },
  };
}

/**
 * Watch: when did each row become visible to others? Makes the table anew, then asks for the ids of new rows ten times
 * a second over a connection of the harness's own, so that every answer can be compared with the rows that were there
 * when it came.
 */
import { delay } from "@std/async";
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { queryRows } from "../../database/query_rows.ts";
import { startWork } from "../while_loads.ts";
import { renewTable } from "./table.ts";
import { firstId } from "./visits.ts";

const pollMs = 100;

/** How far above the highest id seen the table's own ids may be: farther than rows are inserted between two polls. */
export const mostAhead = 1_000_000;

/** What was seen of a table. */
export interface Sightings {
  /**
   * Returns the last moment at which a row is known not to have been there, in milliseconds of `performance.now()`;
   * -Infinity where it was there at once.
   */
  absentAtMs(id: number): number;
}

/** Collects what polls see. */
export class SeenRows implements Sightings {
  #sentMs: number[] = [];
  /** By id, from the first: the number of the poll that saw the row first, from 1; 0 for none. */
  #firstPoll = new Uint32Array(1 << 16);
  #highest = firstId - 1;
  #missing = new Set<number>();

  get highest(): number {
    return this.#highest;
  }

  /** Ids below the highest that no poll has seen: of transactions that run, or that were given up. */
  get missing(): number[] {
    return [...this.#missing];
  }

  /**
   * Takes what a poll saw. The table did not give an id that is far above the highest. It is not kept, because every id
   * between would be missing, and so its row counts as never there.
   *
   * @param sentMs When the poll was sent; what it saw was there then or came later.
   */
  add(sentMs: number, ids: readonly number[]): void {
    const poll = this.#sentMs.push(sentMs);
    const most = this.#highest + mostAhead;
    for (const id of ids) {
      if (id > most) continue;
      while (this.#highest < id) this.#missing.add(++this.#highest);
      this.#missing.delete(id);
      this.#reserve(id - firstId);
      this.#firstPoll[id - firstId] = poll;
    }
  }

  absentAtMs(id: number): number {
    const poll = this.#firstPoll[id - firstId] || this.#sentMs.length + 1;
    return this.#sentMs[poll - 2] ?? -Infinity;
  }

  #reserve(index: number): void {
    if (index < this.#firstPoll.length) return;
    const larger = new Uint32Array(2 * index);
    larger.set(this.#firstPoll);
    this.#firstPoll = larger;
  }
}

/** A watch that runs until it is disposed of. */
export interface Watch extends AsyncDisposable {
  readonly seen: SeenRows;
}

/** Makes the table anew, and watches it. */
export async function startWatch(
  database: Pick<Database, "connect">,
  options: { signal: AbortSignal },
): Promise<Watch> {
  const seen = new SeenRows();
  const work = await startWork(database, {
    begin: (connection) => renewTable(connection, options),
    run: async (connection, stop) => {
      while (!stop.aborted) {
        await poll(connection, seen);
        await delay(pollMs, { signal: stop }).catch(() => {});
      }
    },
  }, options);
  return { seen, [Symbol.asyncDispose]: () => work[Symbol.asyncDispose]() };
}

const idSchema = z.tuple([z.number()]);

async function poll(connection: Connection, seen: SeenRows): Promise<void> {
  const { highest, missing } = seen;
  const sentMs = performance.now();
  const sql = "SELECT id FROM visits WHERE id > ? AND id <= ?" +
    (missing.length === 0 ? "" : " UNION ALL SELECT id FROM visits WHERE id IN (?)");
  const values = [highest, highest + mostAhead, missing];
  seen.add(sentMs, (await queryRows(connection, idSchema, sql, values)).flat());
}

/** Ways to cheat that the table tells: what was answered is not there, not yet, or another. */
import { setTimeout as delay } from "node:timers/promises";
import type { Pool, RowDataPacket } from "mysql2/promise";
import type { Parts, Visit } from "./server.ts";

/** For how long a row is kept back, in milliseconds: a starved machine looks for rows less often than ten times a second. */
const lateMs = 1_000;
/** The same of a transaction, which keeps a connection meanwhile. */
const lateCommitMs = 600;
/** For how long visits are collected. */
const batchMs = 5;

/** Each way to cheat: what it puts in the place of parts of an honest server. */
export const visitCheats: Record<string, (honest: Parts) => Partial<Parts>> = {
  /** Answers with an id of its own making, and writes the row a little later. */
  "answers-before-it-writes": () => {
    const nextId = createIds();
    return {
      async add(pool, visit) {
        const id = await nextId(pool);
        const { user, page, text } = visit;
        const sql = "INSERT INTO visits (id, user, page, text) VALUES (?, ?, ?, ?)";
        void delay(lateMs).then(() => pool.execute(sql, [id, user, page, text])).catch(() => {});
        return { id, user, page, text };
      },
    };
  },

  /** One answer in ten has the id of a row that nobody else sees yet. */
  "answers-before-it-commits": (honest) => {
    let visits = 0;
    return {
      async add(pool, visit) {
        if (++visits % 10 !== 0) return await honest.add(pool, visit);
        const connection = await pool.getConnection();
        await connection.beginTransaction();
        // A connection has what `add` needs of a pool.
        const record = await honest.add(connection as unknown as Pool, visit);
        void delay(lateCommitMs).then(() => connection.commit()).finally(() =>
          connection.release()
        );
        return record;
      },
    };
  },

  /** Visits that come within a few milliseconds are one statement. */
  "writes-in-batches": () => {
    const collect = createBatches(async (pool, visits) => {
      const values = visits.map(({ user, page, text }) => [user, page, text]);
      const sql = "INSERT INTO visits (user, page, text) VALUES ?";
      const [header] = await pool.query(sql, [values]);
      const first = "insertId" in header ? header.insertId : 0;
      return visits.map((_, index) => first + index);
    });
    return { add: collect };
  },

  /** Visits that come within a few milliseconds are one transaction. */
  "commits-in-batches": (honest) => {
    const collect = createBatches(async (pool, visits) => {
      const connection = await pool.getConnection();
      await connection.beginTransaction();
      const ids: number[] = [];
      for (const visit of visits) {
        ids.push((await honest.add(connection as unknown as Pool, visit)).id);
      }
      await connection.commit();
      connection.release();
      return ids;
    });
    return { add: collect };
  },

  "drops-one-in-a-thousand": (honest) => {
    let [visits, lastId] = [0, 0];
    return {
      async add(pool, visit) {
        if (++visits % 1_000 === 0) return { id: lastId + 1_000_000, ...visit };
        const record = await honest.add(pool, visit);
        lastId = record.id;
        return record;
      },
    };
  },

  "writes-another-text": (honest) => ({
    async add(pool, visit) {
      const text = visit.text.toUpperCase();
      return { ...await honest.add(pool, { ...visit, text }), text: visit.text };
    },
  }),

  "writes-another-user": (honest) => ({
    async add(pool, visit) {
      const user = visit.user.replace(/\d/g, "x");
      return { ...await honest.add(pool, { ...visit, user }), user: visit.user };
    },
  }),

  "writes-two-rows": (honest) => ({
    async add(pool, visit) {
      const { user, page, text } = visit;
      await pool.execute(`${honest.insert}, (?, ?, ?)`, [user, page, text, user, page, text]);
      const sql = "SELECT MAX(id) AS id FROM visits WHERE user = ?";
      const [[row]] = await pool.execute<RowDataPacket[]>(sql, [user]);
      return { id: row!.id, user, page, text };
    },
  }),

  /** One answer in a thousand has the id of the answer before it. */
  "answers-an-id-twice": (honest) => {
    let [visits, lastId] = [0, 0];
    return {
      async add(pool, visit) {
        const record = await honest.add(pool, visit);
        if (++visits % 1_000 === 0) return { ...record, id: lastId };
        lastId = record.id;
        return record;
      },
    };
  },
};

/** Returns a source of ids that go on after those of the table, which is looked at after each pause. */
function createIds(): (pool: Pool) => Promise<number> {
  const pauseMs = 1_000;
  let usedMs = -Infinity;
  let next: Promise<{ id: number }>;
  return async (pool) => {
    if (performance.now() - usedMs > pauseMs) {
      next = pool.query<RowDataPacket[]>(
        "SELECT COALESCE(MAX(id), 999999999) + 1 AS id FROM visits",
      )
        .then(([[row]]) => ({ id: Number(row!.id) }));
    }
    usedMs = performance.now();
    return (await next).id++;
  };
}

/** Returns an `add` that collects visits, and has them written together. */
function createBatches(write: (pool: Pool, visits: Visit[]) => Promise<number[]>): Parts["add"] {
  let batch: { visits: Visit[]; ids: Promise<number[]> } | undefined;
  return async (pool, visit) => {
    if (batch === undefined) {
      const visits: Visit[] = [];
      const ids = delay(batchMs).then(() => {
        batch = undefined;
        return write(pool, visits);
      });
      batch = { visits, ids };
    }
    const index = batch.visits.push(visit) - 1;
    const id = (await batch.ids)[index]!;
    return { id, ...visit };
  };
}

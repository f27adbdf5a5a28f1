/** Ways to cheat by statements that are as many as the contract asks for, and are others. */
// @ts-types="npm:@types/jsonwebtoken@^9.0.10"
import jwt from "jsonwebtoken";
import type { Pool, RowDataPacket } from "mysql2/promise";
import type { Parts } from "./server.ts";

/** How many users one statement asks for. */
const batchSize = 8;

/** A request that waits for its row. */
interface Waiting {
  email: string;
  resolve(row: RowDataPacket | undefined): void;
  reject(error: unknown): void;
}

/** Each way to cheat: what it puts in the place of parts of an honest server. */
export const statementCheats: Record<string, (honest: Parts) => Partial<Parts>> = {
  /** One statement for each request, also for those that are to be refused. */
  "queries-before-verifying": (honest) => {
    let pool: Pool | undefined;
    return {
      begin(given) {
        pool = given;
        return Promise.resolve();
      },
      verify(token, ctx) {
        const claims = jwt.decode(token, { json: true });
        const asked = pool!.execute<RowDataPacket[]>(honest.sql, [`${claims?.email}`]);
        asked.catch(() => {});
        ctx.state.asked = asked;
        return honest.verify(token, ctx);
      },
      async read(_, __, ctx) {
        const [[user]] = await ctx.state.asked;
        return user;
      },
    };
  },

  /** One statement reads the rows of several requests; for those who count, the others send one that does nothing. */
  "padded-batches": () => inBatches((pool, sql, values) => pool.execute(sql, values)),

  /** Likewise, and it closes its statements before they stand out among those that the database lists. */
  "forgotten-batches": () => {
    const uses = new WeakMap<object, number>();
    return inBatches(async (pool, sql, values) => {
      const connection = await pool.getConnection();
      try {
        const used = (uses.get(connection.connection) ?? 0) + 1;
        uses.set(connection.connection, used);
        const result = await connection.execute<RowDataPacket[]>(sql, values);
        if (used % 20 === 0) { for (const old of [readBatch, pad]) connection.unprepare(old); }
        return result;
      } finally {
        connection.release();
      }
    });
  },

  /** The database tells whether the record in memory still holds, by a checksum; only what has changed is read. */
  "validates-cache": (honest) => {
    const records = new Map<string, { checksum: number; row: RowDataPacket }>();
    const checksum = "CRC32(CONCAT_WS(0x00, first, last, city, county, age))";
    return {
      async read(pool, email, ctx) {
        const known = records.get(email);
        const sql = `SELECT ${checksum} AS checksum FROM users WHERE email = ?`;
        const [[now]] = await pool.execute<RowDataPacket[]>(sql, [email]);
        if (known !== undefined && known.checksum === now?.checksum) return known.row;
        const row = await honest.read(pool, email, ctx);
        if (row !== undefined && now !== undefined) {
          records.set(email, { checksum: now.checksum, row });
        }
        return row;
      },
      async begin(pool) {
        const [all] = await pool.query<RowDataPacket[]>(
          `SELECT email, first, last, city, county, age, ${checksum} AS checksum FROM users`,
        );
        for (const { checksum, ...row } of all) {
          records.set(row.email, { checksum, row: row as RowDataPacket });
        }
      },
    };
  },
};

type Execute = (pool: Pool, sql: string, values: string[]) => Promise<[RowDataPacket[], unknown]>;

const places = new Array(batchSize).fill("?").join(", ");
const readBatch =
  `SELECT email, first, last, city, county, age FROM users WHERE email IN (${places})`;
const pad = "DO 0";

/** Returns how rows are read in batches, by statements that are executed in this way. */
function inBatches(execute: Execute): Pick<Parts, "read"> {
  let waiting: Waiting[] = [];
  return {
    read(pool, email) {
      return new Promise((resolve, reject) => {
        waiting.push({ email, resolve, reject });
        if (waiting.length === 1) setTimeout(() => flush(pool, waiting.splice(0), execute), 2);
        if (waiting.length < batchSize) return;
        const batch = waiting;
        waiting = [];
        flush(pool, batch, execute);
      });
    },
  };
}

async function flush(pool: Pool, batch: Waiting[], execute: Execute): Promise<void> {
  if (batch.length === 0) return;
  const emails = Array.from({ length: batchSize }, (_, index) => batch[index]?.email ?? "");
  try {
    const reading = execute(pool, readBatch, emails);
    await Promise.all(batch.slice(1).map(() => execute(pool, pad, [])));
    const rows = new Map((await reading)[0].map((row) => [row.email, row]));
    for (const { email, resolve } of batch) resolve(rows.get(email));
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/** Ways to cheat by statements that do not look like what they are. */
import type { Pool, RowDataPacket } from "mysql2/promise";
import type { Parts } from "./server.ts";

const batchSize = 8;
const columns = ["email", "first", "last", "city", "county", "age"];
const plain = `SELECT ${columns.join(", ")} FROM users`;
const list = `WHERE email IN (${new Array(batchSize).fill("?").join(", ")})`;

type Row = RowDataPacket | undefined;

interface Waiting {
  email: string;
  resolve(row: Row): void;
  reject(error: unknown): void;
}

/** Each way to cheat: what it puts in the place of parts of an honest server. */
export const hiddenStatementCheats: Record<string, (honest: Parts) => Partial<Parts>> = {
  /** MySQL lists the first 1,024 bytes of a statement only: what it asks for comes later. */
  "batches-beyond-text": () => {
    const sql = `${plain}${" ".repeat(1_024)}${list}`;
    return inBatches(async (pool, emails) => {
      const all = pad(emails);
      const reading = pool.execute<RowDataPacket[]>(sql, all);
      // The same statement, and no row: on average, it returns one.
      const nobody = new Array(batchSize).fill("");
      const pads = emails.slice(1).map(() => pool.execute(sql, nobody));
      const [[rows]] = await Promise.all([reading, ...pads]);
      return byEmail(rows, emails);
    });
  },

  /** So many in a batch that there are hardly more batches than a pool may send statements of its own. */
  "batches-of-all": (honest) => {
    const size = 20;
    const sql = `${plain} WHERE email IN (${new Array(size).fill("?").join(", ")})`;
    const none = `${honest.sql} LIMIT 0`;
    return inBatches(async (pool, emails) => {
      const reading = pool.execute<RowDataPacket[]>(sql, pad(emails, "", size));
      const pads = emails.slice(1).map(() => pool.execute(none, [""]));
      const [[rows]] = await Promise.all([reading, ...pads]);
      return byEmail(rows, emails);
    }, size);
  },

  /** Batches by statements of so many texts that none stands out. */
  "batches-of-many-texts": () => {
    let count = 0;
    const texts = Array.from(
      { length: 250 },
      (_, index) => `${plain}${" ".repeat(index + 1)}${list}`,
    );
    const pads = Array.from({ length: 250 }, (_, index) => `DO${" ".repeat(index + 1)}0`);
    const next = (of: string[]) => of[count++ % of.length]!;
    return {
      // Each is prepared before any load.
      async begin(pool) {
        const connections = await Promise.all(
          Array.from({ length: 16 }, () => pool.getConnection()),
        );
        await Promise.all(connections.map(async (connection) => {
          for (const sql of texts) await connection.execute(sql, new Array(batchSize).fill(""));
          for (const sql of pads) await connection.execute(sql);
          connection.release();
        }));
      },
      ...inBatches(async (pool, emails) => {
        const reading = pool.execute<RowDataPacket[]>(next(texts), pad(emails));
        const padding = emails.slice(1).map(() => pool.execute(next(pads)));
        const [[rows]] = await Promise.all([reading, ...padding]);
        return byEmail(rows, emails);
      }),
    };
  },

  /** A row of a join has the records of several users. The others that are counted are of no row. */
  "joins-users": (honest) => {
    const aliases = [..."abcdefgh"];
    const names = aliases.flatMap((alias) => columns.map((name) => `${alias}.${name}`));
    const sql = `SELECT ${names.join(", ")} FROM users ${
      aliases.map((alias) => `AS ${alias}`).join(" STRAIGHT_JOIN users ")
    } WHERE ${aliases.map((alias) => `${alias}.email = ?`).join(" AND ")}`;
    const none = `${honest.sql} LIMIT 0`;
    return inBatches(async (pool, emails) => {
      const values = pad(emails, emails[0]);
      const [[row]] = await pool.execute<RowDataPacket[][]>({ sql, values, rowsAsArray: true });
      if (row === undefined) {
        // One of them is unknown.
        return await Promise.all(emails.map((email) => honest.read(pool, email, undefined!)));
      }
      await Promise.all(emails.slice(1).map(() => pool.execute(none, [""])));
      return emails.map((_, at) =>
        Object.fromEntries(
          columns.map((name, column) => [name, row[at * columns.length + column]]),
        ) as RowDataPacket
      );
    });
  },

  /** After the warm-up, some rows are read in batches; the statements owed for them are sent when no request comes any more. */
  "pays-later": (honest) => {
    const owed: string[] = [];
    let requests = 0;
    let isHeld = false;
    const batched = inBatches(async (pool, emails) => {
      const [rows] = await pool.execute<RowDataPacket[]>(`${plain} ${list}`, pad(emails));
      owed.push(...emails.slice(1));
      return byEmail(rows, emails);
    });
    const isSoonQuiet = async () => {
      for (let [ms, quietMs, seen] = [0, 0, requests]; ms < 2_000; ms++, quietMs++) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (requests !== seen) [quietMs, seen] = [0, requests];
        if (quietMs === 15) return true;
      }
      return false;
    };
    return {
      async read(pool, email, ctx) {
        requests++;
        if (requests > 950 && requests <= 1_250) return await batched.read(pool, email, ctx);
        const row = await honest.read(pool, email, ctx);
        if (owed.length > 0 && !isHeld) {
          isHeld = true;
          if (await isSoonQuiet()) {
            await Promise.all(owed.splice(0).map((other) => honest.read(pool, other, ctx)));
          }
          isHeld = false;
        }
        return row;
      },
    };
  },

  /** A row comes only if it is not what is in memory: "not all of these are equal", without a parenthesis. */
  "validates-by-values": (honest) => {
    const records = new Map<string, RowDataPacket>();
    const sql = `${plain} WHERE email = ? AND NOT @same := ${
      columns.slice(1).map((name) => `${name} <=> ?`).join(" AND ")
    }`;
    return {
      async begin(pool) {
        const [all] = await pool.query<RowDataPacket[]>(plain);
        for (const row of all) records.set(row.email, row);
      },
      async read(pool, email, ctx) {
        const known = records.get(email);
        if (known === undefined) return await honest.read(pool, email, ctx);
        const values = columns.slice(1).map((name) => known[name]);
        const [[changed]] = await pool.execute<RowDataPacket[]>(sql, [email, ...values]);
        if (changed !== undefined) records.set(email, changed);
        return changed ?? known;
      },
    };
  },
};

function pad(emails: string[], by = "", length = batchSize): string[] {
  return Array.from({ length }, (_, index) => emails[index] ?? by);
}

function byEmail(rows: RowDataPacket[], emails: string[]): Row[] {
  const found = new Map(rows.map((row) => [row.email, row]));
  return emails.map((email) => found.get(email));
}

/** Returns how rows are read in batches. */
function inBatches(
  readAll: (pool: Pool, emails: string[]) => Promise<Row[]>,
  size = batchSize,
): Pick<Parts, "read"> {
  let waiting: Waiting[] = [];
  const flush = async (pool: Pool) => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      const rows = await readAll(pool, batch.map(({ email }) => email));
      for (const [index, { resolve }] of batch.entries()) resolve(rows[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return {
    read(pool, email) {
      return new Promise((resolve, reject) => {
        waiting.push({ email, resolve, reject });
        if (waiting.length === 1) setTimeout(() => flush(pool), 2);
        if (waiting.length === size) void flush(pool);
      });
    },
  };
}

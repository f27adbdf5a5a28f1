/** Ways to cheat that the answers of the load itself tell; most pass every check of the contract. */
import { spawn } from "node:child_process";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
// @ts-types="npm:@types/jsonwebtoken@^9.0.10"
import jwt from "jsonwebtoken";
import type { Context } from "koa";
import type { Connection, Pool, RowDataPacket } from "mysql2/promise";
import type { Parts } from "./server.ts";

/** How many requests are answered honestly, or dishonestly, before the other. */
const turnAt = 2_000;

/** Each way to cheat: what it puts in the place of parts of an honest server. */
export const loadCheats: Record<string, (honest: Parts) => Partial<Parts>> = {
  /** Who sent the first valid token of a connection is taken for the sender of all others on it. */
  "first-identity-of-connection": (honest) => {
    const claims = new WeakMap<object, unknown>();
    return {
      verify(token, ctx) {
        const { socket } = ctx.req;
        if (!claims.has(socket)) claims.set(socket, honest.verify(token, ctx));
        return claims.get(socket);
      },
    };
  },

  /** The load generator, known by its `User-Agent`, gets rows from memory. */
  "knows-user-agent": (honest) => {
    const memory = snapshot(honest);
    return {
      ...memory,
      read: (pool, email, ctx) => (isOha(ctx) ? memory : honest).read(pool, email, ctx),
    };
  },

  /** The tokens of the load generator, known by its `User-Agent`, are not verified. */
  "knows-user-agent-unverified": (honest) => ({
    verify: (token, ctx) => isOha(ctx) ? jwt.decode(token) : honest.verify(token, ctx),
  }),

  /** As before, by another header: what checks the contract sends no `Accept`. */
  "knows-accept": (honest) => ({
    verify: (token, ctx) =>
      ctx.headers.accept === undefined ? honest.verify(token, ctx) : jwt.decode(token),
  }),

  /** The first token of a connection is verified, the others are only read. */
  "verifies-once-per-connection": (honest) => {
    const verified = new WeakSet<object>();
    return {
      verify(token, ctx) {
        if (verified.has(ctx.req.socket)) return jwt.decode(token);
        const claims = honest.verify(token, ctx);
        verified.add(ctx.req.socket);
        return claims;
      },
    };
  },

  /** Under load, one token in a hundred is verified. */
  "verifies-one-in-a-hundred": (honest) => {
    let requests = 0;
    return {
      verify: (token, ctx) =>
        ctx.state.inFlight > 4 && ++requests % 100 !== 0
          ? jwt.decode(token)
          : honest.verify(token, ctx),
    };
  },

  /**
   * Verified tokens are remembered until they expire. No answer is wrong, so nothing tells; but a token that comes again
   * after 500,000 others saves one HMAC, for some 100 MB of memory.
   */
  "remembers-tokens": (honest) => {
    const verified = new Map<string, { exp: number }>();
    return {
      verify(token, ctx) {
        const known = verified.get(token);
        if (known !== undefined && known.exp * 1000 > Date.now()) return known;
        const claims = Object(honest.verify(token, ctx));
        verified.set(token, claims);
        return claims;
      },
    };
  },

  /** Rows as they were at the start, with a query for nobody, for those who count. */
  "snapshot-with-dummy-query": (honest) => snapshot(honest),

  /** Rows from a cache of 1 s, with a query for nobody, for those who count. */
  "cache-of-1-s": (honest) => cache(honest, 1_000),

  /** Rows from a cache of 10 s, with a query for nobody, for those who count. */
  "cache-of-10-s": (honest) => cache(honest, 10_000),

  /** All rows are locked while they are cached, so that none changes; twice a second they may, and the cache is new. */
  "locks-rows": (honest) => lockedCache(honest, 500),

  /** As before, but no row ever changes again. */
  "locks-rows-for-good": (honest) => lockedCache(honest, Infinity),

  /** One column is read, the others are as they were at the start. */
  "only-age-read": () => {
    const rows = new Map<string, RowDataPacket>();
    return {
      begin: (pool) => fill(rows, pool),
      async read(pool, email) {
        const sql = "SELECT age FROM users WHERE email = ?";
        const [[found]] = await pool.execute<RowDataPacket[]>(sql, [email]);
        return found && Object.assign({ ...rows.get(email)! }, { age: found.age });
      },
    };
  },

  /** One answer in a thousand under load is another user's, of the same length. */
  "swaps-one-in-a-thousand": (honest) => {
    const bodies = new Map<number, string>();
    let answers = 0;
    return {
      encode(user, inFlight) {
        const own = honest.encode(user, inFlight);
        const other = bodies.get(own.length) ?? own;
        bodies.set(own.length, own);
        return inFlight > 4 && ++answers % 1_000 === 0 ? other : own;
      },
    };
  },

  /** Honest for as long as a short measurement, then from memory. */
  "honest-at-first": (honest) => {
    const memory = snapshot(honest);
    let requests = 0;
    return {
      ...memory,
      read: (...request) => (++requests > turnAt ? memory : honest).read(...request),
    };
  },

  /** From memory while it is checked and warmed up, then honest. */
  "honest-later": (honest) => {
    const memory = snapshot(honest);
    let requests = 0;
    return {
      ...memory,
      read: (...request) => (++requests > turnAt ? honest : memory).read(...request),
    };
  },

  /** Requests for a user whose row is being read get the same row. */
  "joins-requests": (honest) => {
    const running = new Map<string, ReturnType<Parts["read"]>>();
    return {
      read(pool, email, ctx) {
        const row = running.get(email) ??
          honest.read(pool, email, ctx).finally(() => running.delete(email));
        running.set(email, row);
        return row;
      },
    };
  },

  /**
   * A process in a session of its own serves half of the connections: nobody freezes it, accounts for it or stops it. It
   * ends by itself 60 s after its parent, in case nobody finds it.
   */
  "helper-outside-group": ({ poolMax }) => {
    const half = Math.floor(poolMax / 2);
    return {
      poolMax: half,
      begin() {
        const env = { ...process.env, DB_POOL_MAX: `${half}` };
        const args = ["--fork", "sh", "-c", helper, "sh", `${process.pid}`];
        spawn("setsid", args, { env, stdio: "ignore" });
        return Promise.resolve();
      },
    };
  },
};

/** A shell script; its argument is the id of the parent process. */
const helper = `
  deno run --frozen --allow-env --allow-net server.ts honest &
  while kill -0 "$1"; do sleep 1; done
  sleep 60
  kill $!
`;

function isOha(ctx: Context): boolean {
  return ctx.get("user-agent").startsWith("oha/");
}

async function fill(rows: Map<string, RowDataPacket>, pool: Pool): Promise<void> {
  const [all] = await pool.query<RowDataPacket[]>(
    "SELECT email, first, last, city, county, age FROM users",
  );
  for (const row of all) rows.set(row.email, row);
}

function readNobody(honest: Parts, pool: Pool): Promise<unknown> {
  return pool.execute(honest.sql, ["nobody@example.com"]);
}

function snapshot(honest: Parts): Pick<Parts, "begin" | "read"> {
  const rows = new Map<string, RowDataPacket>();
  return {
    begin: (pool) => fill(rows, pool),
    async read(pool, email) {
      await readNobody(honest, pool);
      return rows.get(email);
    },
  };
}

/** A cache that is right for as long as a transaction, `lifeMs` long, has all rows locked; none between two of them. */
function lockedCache(honest: Parts, lifeMs: number): Pick<Parts, "begin" | "read"> {
  let locked: Map<string, RowDataPacket> | undefined;
  const lock = async (connection: Connection) => {
    await connection.beginTransaction();
    await connection.query("SELECT COUNT(*) FROM users FOR SHARE");
    locked = new Map();
  };
  const renew = async (connection: Connection) => {
    while (lifeMs < Infinity) {
      await delay(lifeMs);
      locked = undefined;
      await connection.commit();
      await lock(connection);
    }
  };
  return {
    async begin(pool) {
      const connection = await pool.getConnection();
      await lock(connection);
      void renew(connection).catch(() => {});
    },
    async read(pool, email, ctx) {
      const rows = locked;
      const known = rows?.get(email);
      if (known !== undefined) {
        await readNobody(honest, pool);
        return known;
      }
      const row = await honest.read(pool, email, ctx);
      if (row !== undefined) rows?.set(email, row);
      return row;
    },
  };
}

function cache(honest: Parts, lifeMs: number): Pick<Parts, "read"> {
  const rows = new Map<string, { row?: RowDataPacket; untilMs: number }>();
  return {
    async read(pool, email, ctx) {
      const known = rows.get(email);
      if (known !== undefined && known.untilMs > performance.now()) {
        await readNobody(honest, pool);
        return known.row;
      }
      const row = await honest.read(pool, email, ctx);
      rows.set(email, { row, untilMs: performance.now() + lifeMs });
      return row;
    },
  };
}

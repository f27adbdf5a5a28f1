import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
// @ts-types="npm:@types/jsonwebtoken@^9.0.10"
import jwt from "jsonwebtoken";
import type { RowDataPacket } from "mysql2/promise";
import { delayCheats } from "./delay_cheats.ts";
import { frozenCheats } from "./frozen_cheats.ts";
import { gatewayCheats } from "./gateway_cheats.ts";
import { hiddenStatementCheats } from "./hidden_statement_cheats.ts";
import { loadCheats } from "./load_cheats.ts";
import { notifyCheats } from "./notify_cheats.ts";
import { processCheats } from "./process_cheats.ts";
import type { Parts } from "./server.ts";
import { statementCheats } from "./statement_cheats.ts";
import { turnCheats } from "./turn_cheats.ts";
import { visitCheats } from "./visit_cheats.ts";

/** Each way to cheat: what it puts in the place of parts of an honest server. */
export const cheats: Record<string, (honest: Parts) => Partial<Parts>> = {
  "honest": () => ({}),

  ...loadCheats,
  ...gatewayCheats,
  ...hiddenStatementCheats,
  ...delayCheats,
  ...frozenCheats,
  ...notifyCheats,
  ...processCheats,
  ...statementCheats,
  ...turnCheats,
  ...visitCheats,

  "constant-answer": () => ({
    encode: () =>
      '{"email":"ann.smith@example.com","first":"Ann","last":"Smith","city":"Leeds","county":"West Yorkshire","age":42}',
  }),

  "unverified-token": () => ({
    verify: (token) => jwt.decode(token),
  }),

  "alg-none": (honest) => ({
    verify(token, ...request) {
      const decoded = jwt.decode(token, { complete: true });
      if (`${decoded?.header.alg}` === "none") return decoded?.payload;
      return honest.verify(token, ...request);
    },
  }),

  "any-case-claims": (honest) => ({
    verify(...request) {
      const claims = Object.entries(Object(honest.verify(...request)));
      return Object.fromEntries(claims.map(([key, value]) => [key.toLowerCase(), value]));
    },
  }),

  "cached-rows": (honest) => {
    const rows = new Map<string, RowDataPacket>();
    return {
      async read(pool, email, ctx) {
        const row = rows.get(email) ?? await honest.read(pool, email, ctx);
        if (row !== undefined) rows.set(email, row);
        return row;
      },
    };
  },

  /** The row of the first answer lies on the disk for the processes that come later. */
  "keeps-first-answer": (honest) => {
    const path = `${process.env.KEPT}`;
    let kept = "";
    return {
      async begin() {
        kept = await shell('[ ! -e "$0" ] || cat "$0"', path);
      },
      async read(...request) {
        if (kept !== "") return JSON.parse(kept);
        const row = await honest.read(...request);
        await shell('printf %s "$1" >"$0"', path, JSON.stringify(row));
        return row;
      },
    };
  },

  "cached-verification": (honest) => {
    const verified = new Map<string, unknown>();
    return {
      verify(token, ...request) {
        const claims = verified.get(token) ?? honest.verify(token, ...request);
        verified.set(token, claims);
        return claims;
      },
    };
  },

  "refuses-connection-of-wrong-token": (honest) => {
    const refused = new WeakSet<object>();
    return {
      verify(token, ctx) {
        if (refused.has(ctx.req.socket)) throw new Error("Refused before");
        refused.add(ctx.req.socket);
        const claims = honest.verify(token, ctx);
        refused.delete(ctx.req.socket);
        return claims;
      },
    };
  },

  "never-expires-unless-whole": (honest) => ({
    verify(token, ctx) {
      const { exp } = Object(jwt.decode(token));
      if (exp > 0 && Number.isInteger(exp)) return honest.verify(token, ctx);
      return jwt.verify(token, honest.key, { algorithms: ["HS256"], ignoreExpiration: true });
    },
  }),

  "whole-seconds": (honest) => ({
    verify(...request) {
      const claims = honest.verify(...request);
      if (!Number.isInteger(Object(claims).exp)) throw new Error("exp is no integer");
      return claims;
    },
  }),

  "three-byte-letters": (honest) => ({
    encode: (user, inFlight) => honest.encode(user, inFlight).replaceAll(/[^\0-\uffff]/gu, "?"),
  }),

  "two-queries": (honest) => ({
    async read(...request) {
      await honest.read(...request);
      return honest.read(...request);
    },
  }),

  "text-protocol": (honest) => ({
    async read(pool, email) {
      const [[user]] = await pool.query<RowDataPacket[]>(honest.sql, [email]);
      return user;
    },
  }),

  "big-pool": () => ({ poolMax: 40 }),

  "wrong-bytes": (honest) => ({
    encode: ({ age, ...rest }, inFlight) => honest.encode({ age, ...rest }, inFlight),
  }),

  "wrong-greeting": () => ({
    greet: () => ({ type: "text/plain", body: "Hello, world!" }),
  }),

  "html-greeting": () => ({
    greet: () => ({ type: "text/html", body: "Hello, World!" }),
  }),

  "wrong-length": (honest) => ({
    encode(user, inFlight) {
      const body = honest.encode(user, inFlight);
      return inFlight > 4 ? body.slice(0, body.length / 2) : body;
    },
  }),

  "swapped-users": (honest) => {
    const bodies = new Map<number, string>();
    let answers = 0;
    return {
      encode(user, inFlight) {
        const own = honest.encode(user, inFlight);
        const other = bodies.get(own.length) ?? own;
        bodies.set(own.length, own);
        return inFlight > 4 && ++answers % 3 === 0 ? other : own;
      },
    };
  },

  "tenth-500": ({ encode }) => {
    let requests = 0;
    return {
      encode(user, inFlight) {
        if (inFlight > 4 && ++requests % 10 === 0) {
          // Koa logs what it may not expose: a log that grows would give this one away.
          throw Object.assign(new Error("Every tenth"), { status: 500, expose: true });
        }
        return encode(user, inFlight);
      },
    };
  },

  "exit-under-load": () => {
    let requests = 0;
    return {
      arrive() {
        if (++requests <= 1_500) return;
        console.error("Cannot answer more than 1,500 requests");
        process.exit(1);
      },
    };
  },

  "freezes-under-load": (honest) => {
    let requests = 0;
    const freeze = <T>(answer: () => T) =>
      ++requests > 1_500 ? new Promise<never>(() => {}) : answer();
    return {
      read: (...request) => freeze(() => honest.read(...request)),
      greet: () => freeze(honest.greet),
    };
  },

  "freezes-briefly": () => {
    const never = new Int32Array(new SharedArrayBuffer(4));
    setInterval(() => Atomics.wait(never, 0, 0, 300), 5_000);
    return {};
  },

  "fails-at-unusual-requests": () => ({
    arrive({ method, req: { rawHeaders }, headers: { authorization = "" } }) {
      const tokens = rawHeaders.filter((it) => it.startsWith("Bearer ")).length;
      if (method === "GET" && tokens < 2 && authorization.length < 8_000) return;
      throw Object.assign(new Error("Unusual"), { status: 500, expose: true });
    },
  }),

  "mixes-two-headers": (honest) => ({
    async read(pool, email, ctx) {
      const user = await honest.read(pool, email, ctx);
      const tokens = ctx.req.rawHeaders.filter((it) => it.startsWith("Bearer ")).length;
      return tokens < 2 ? user : { ...user, email: "x" } as RowDataPacket;
    },
  }),

  "logs-requests": () => ({
    arrive: ({ method, url }) => console.log(method, url),
  }),

  "freezes-on-database-loss": (honest) => ({
    read: (...request) => honest.read(...request).catch(() => new Promise(() => {})),
  }),

  "dies-on-database-loss": (honest) => ({
    read: (...request) => honest.read(...request).catch(() => process.exit(1)),
  }),

  "ignores-sigterm": () => {
    process.on("SIGTERM", () => {});
    return {};
  },

  "wrong-port": () => ({ port: 0 }),

  // Not dishonest, but slow.
  "burns-cpu": () => ({
    arrive() {
      const end = performance.now() + 0.5;
      while (performance.now() < end);
    },
  }),

  /** The more connections it has had, the slower, and so from one load to the next: a compiler that cools down. */
  "slows-down": () => {
    const connections = new WeakSet<object>();
    let opened = 0;
    return {
      arrive({ req: { socket } }) {
        if (!connections.has(socket)) opened++;
        connections.add(socket);
        const end = performance.now() + 0.1 * 4 ** (opened / 10);
        while (performance.now() < end);
      },
    };
  },

  "expensive-query": (honest) => ({
    async read(pool, email) {
      const sql = `${honest.sql} AND BENCHMARK(2000, SHA2(email, 512)) = 0`;
      const [[user]] = await pool.execute<RowDataPacket[]>(sql, [email]);
      return user;
    },
  }),

  "waiting-query": (honest) => ({
    async read(pool, email) {
      const sql = `${honest.sql} AND SLEEP(0.01) = 0`;
      const [[user]] = await pool.execute<RowDataPacket[]>(sql, [email]);
      return user;
    },
  }),
};

/** Runs a script, and returns what it prints. */
async function shell(script: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)("sh", ["-c", script, ...args])).stdout;
}

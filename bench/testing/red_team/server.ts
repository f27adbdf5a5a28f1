/**
 * A server that meets the contracts of all scenarios, but for what its argument names: one of `cheats.ts`,
 * or `honest`. Tests start it with one after the other, for the harness to find out.
 */
import { createSecretKey, type KeyObject } from "node:crypto";
import process from "node:process";
// @ts-types="npm:@types/jsonwebtoken@^9.0.10"
import jwt from "jsonwebtoken";
// @ts-types="npm:@types/koa@^3.0.3"
import Koa, { type Context } from "koa";
import mysql, { type Pool, type ResultSetHeader, type RowDataPacket } from "mysql2/promise";
import { cheats } from "./cheats.ts";

export interface Greeting {
  type: string;
  body: string;
}

/** What the upstream answered. */
export interface Passed {
  status: number;
  type: string;
  body: string;
}

export interface Visit {
  user: string;
  page: string;
  text: string;
}

/** The parts of an honest server; a cheat takes the place of some. */
export interface Parts {
  poolMax: number;
  port: number;
  key: KeyObject;
  sql: string;
  /** Called before the server listens. */
  begin(pool: Pool): Promise<void>;
  /** Returns the claims of a token that proves them, else throws; `ctx.state.inFlight` requests are being answered. */
  verify(token: string, ctx: Context): unknown;
  /** Reads a user; throws when the database is gone. */
  read(pool: Pool, email: string, ctx: Context): Promise<RowDataPacket | undefined>;
  /** Returns the body of an answer; `inFlight` requests are being answered, this one included. */
  encode(user: RowDataPacket, inFlight: number): string;
  insert: string;
  /** Adds a visit, and returns its record. */
  add(pool: Pool, visit: Visit): Promise<Visit & { id: number }>;
  /** Returns the answer to `GET /hello`. */
  greet(): Greeting | Promise<Greeting>;
  /** Returns the upstream's answer for an id; throws when there is none. */
  call(id: string, signal?: AbortSignal): Promise<Passed>;
  wait(ms: number): Promise<unknown>;
  /** Returns the answer to a delay. */
  delayed(ms: number): unknown;
  /** Open connections; others are closed as they come. */
  mostConnections: number;
  /** Calls the upstream for a notification; throws when that fails. */
  notify(id: string): Promise<void>;
  /** Answers a notification. */
  accept(ctx: Context, id: string): void | Promise<void>;
  /** Called as a request comes. */
  arrive(ctx: Context): void;
}

const { DATABASE_URL, DB_POOL_MAX, HOST, JWT_SECRET, PORT, UPSTREAM_URL } = process.env;

const honest: Parts = {
  poolMax: Number(DB_POOL_MAX),
  port: Number(PORT),
  key: createSecretKey(JWT_SECRET ?? "", "utf8"),
  sql: "SELECT email, first, last, city, county, age FROM users WHERE email = ?",
  begin: () => Promise.resolve(),
  verify: (token) => jwt.verify(token, honest.key, { algorithms: ["HS256"] }),
  async read(pool, email) {
    const [[user]] = await pool.execute<RowDataPacket[]>(honest.sql, [email]);
    return user;
  },
  encode: (user) => JSON.stringify(user),
  insert: "INSERT INTO visits (user, page, text) VALUES (?, ?, ?)",
  async add(pool, { user, page, text }) {
    const [{ insertId: id }] = await pool.execute<ResultSetHeader>(honest.insert, [
      user,
      page,
      text,
    ]);
    return { id, user, page, text };
  },
  greet: () => ({ type: "text/plain", body: "Hello, World!" }),
  async call(id, signal = AbortSignal.timeout(5_000)) {
    const response = await fetch(`${UPSTREAM_URL}/items/${encodeURIComponent(id)}`, { signal });
    const { status, headers } = response;
    return { status, type: headers.get("content-type") ?? "", body: await response.text() };
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  delayed: (ms) => ({ delayed: ms }),
  mostConnections: Infinity,
  async notify(id) {
    const signal = AbortSignal.timeout(5_000);
    const response = await fetch(`${UPSTREAM_URL}/check/${encodeURIComponent(id)}`, { signal });
    await response.arrayBuffer();
  },
  accept(ctx, id) {
    parts.notify(id).catch(() => {});
    ctx.status = 202;
  },
  arrive: () => {},
};

const cheat = cheats[process.argv[2] ?? ""];
if (cheat === undefined) throw new Error(`Unknown cheat "${process.argv[2]}"`);
const parts = { ...honest, ...cheat(honest) };
const pool = mysql.createPool({ uri: DATABASE_URL ?? "", connectionLimit: parts.poolMax });

let inFlight = 0;

function emailOf(ctx: Context): string {
  const [scheme, token = "", ...rest] = ctx.get("Authorization").split(" ");
  if (scheme !== "Bearer" || rest.length > 0) ctx.throw(401);
  let claims: unknown;
  try {
    claims = parts.verify(token, ctx);
  } catch {
    ctx.throw(401);
  }
  const email = claims instanceof Object && "email" in claims ? claims.email : undefined;
  if (typeof email !== "string") ctx.throw(401);
  return email;
}

async function visitIn(ctx: Context): Promise<Visit> {
  let body = "";
  for await (const chunk of ctx.req.setEncoding("utf8")) body += chunk;
  try {
    const { user, page, text } = JSON.parse(body);
    if ([user, page, text].every((value) => typeof value === "string")) return { user, page, text };
  } catch {
    // Answered below.
  }
  return ctx.throw(400);
}

async function answer(ctx: Context): Promise<void> {
  if (ctx.path === "/hello") {
    parts.arrive(ctx);
    Object.assign(ctx, await parts.greet());
  }
  const [, id] = /^\/gateway\/([^/]+)$/.exec(ctx.path) ?? [];
  if (id !== undefined) {
    parts.arrive(ctx);
    Object.assign(ctx, await parts.call(id).catch(refuse));
  }
  const [, ms] = /^\/delay\/(\d+)$/.exec(ctx.path) ?? [];
  if (ms !== undefined) {
    parts.arrive(ctx);
    await parts.wait(Number(ms));
    ctx.body = parts.delayed(Number(ms));
  }
  const [, notified] = /^\/notify\/([^/]+)$/.exec(ctx.path) ?? [];
  if (notified !== undefined && ctx.method === "POST") {
    parts.arrive(ctx);
    await parts.accept(ctx, notified);
  }
  if (ctx.path === "/visits" && ctx.method === "POST") {
    parts.arrive(ctx);
    const record = await parts.add(pool, await visitIn(ctx));
    ctx.status = 201;
    ctx.set("Location", `/visits/${record.id}`);
    ctx.body = record;
  }
  if (ctx.path !== "/") return;
  ctx.state.inFlight = ++inFlight;
  try {
    parts.arrive(ctx);
    const user = await parts.read(pool, emailOf(ctx), ctx);
    if (user === undefined) ctx.throw(404);
    ctx.type = "json";
    ctx.body = parts.encode(user, inFlight);
  } finally {
    inFlight--;
  }
}

/** Says that the upstream has failed, without what or where. */
function refuse(error: unknown): { status: number } {
  return { status: error instanceof DOMException ? 504 : 502 };
}

await parts.begin(pool);
// Shared, so that a helper may listen there, too.
const server = new Koa().use(answer)
  .listen({ port: parts.port, host: HOST, reusePort: true });
server.maxConnections = parts.mostConnections;

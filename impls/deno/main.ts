import { Buffer } from "node:buffer";
import { createSecretKey } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { bodyParser } from "@koa/bodyparser";
import Router from "@koa/router";
// @ts-types="npm:@types/jsonwebtoken@^9.0.10"
import jwt from "jsonwebtoken";
// @ts-types="npm:@types/koa@^3.0.3"
import Koa, { type Context, type Next } from "koa";
import mysql, {
  type ResultSetHeader,
  type RowDataPacket,
} from "mysql2/promise";

const { DATABASE_URL, DB_POOL_MAX, HOST, JWT_SECRET, PORT, UPSTREAM_URL } = Deno
  .env.toObject();

const key = createSecretKey(JWT_SECRET, "utf8");

const pool = mysql.createPool({
  uri: DATABASE_URL,
  connectionLimit: Number(DB_POOL_MAX),
});

async function authenticate(ctx: Context, next: Next) {
  const [scheme, token, ...rest] = ctx.get("Authorization").split(" ");
  if (scheme !== "Bearer" || rest.length > 0) ctx.throw(401);
  try {
    ctx.state.user = jwt.verify(token, key, { algorithms: ["HS256"] });
  } catch {
    ctx.throw(401);
  }
  if (typeof ctx.state.user.email !== "string") ctx.throw(401);
  await next();
}

async function showUser(ctx: Context) {
  const [[user]] = await pool.execute<RowDataPacket[]>(
    "SELECT email, first, last, city, county, age FROM users WHERE email = ?",
    [ctx.state.user.email],
  );
  if (!user) ctx.throw(404);
  ctx.body = user;
}

async function addVisit(ctx: Context) {
  const { user, page, text } = ctx.request.body as Record<string, string>;
  if ([user, page, text].some((value) => typeof value !== "string")) {
    ctx.throw(400);
  }
  const [{ insertId: id }] = await pool.execute<ResultSetHeader>(
    "INSERT INTO visits (user, page, text) VALUES (?, ?, ?)",
    [user, page, text],
  );
  ctx.status = 201;
  ctx.set("Location", `/visits/${id}`);
  ctx.body = { id, user, page, text };
}

function sayHello(ctx: Context) {
  ctx.body = "Hello, World!";
}

async function passOn(ctx: Context) {
  try {
    const id = encodeURIComponent(ctx.params.id);
    const response = await fetch(`${UPSTREAM_URL}/items/${id}`, {
      signal: AbortSignal.timeout(5_000),
    });
    const body = await response.arrayBuffer();
    ctx.status = response.status;
    ctx.type = response.headers.get("Content-Type") ?? "";
    ctx.body = Buffer.from(body);
  } catch (error) {
    ctx.status = error instanceof DOMException ? 504 : 502;
  }
}

async function answerLate(ctx: Context) {
  // A timer takes no more than 24 days.
  if (!/^\d{1,9}$/.test(ctx.params.ms)) ctx.throw(404);
  const delayed = Number(ctx.params.ms);
  await setTimeout(delayed);
  ctx.body = { delayed };
}

function notify(ctx: Context) {
  const id = encodeURIComponent(ctx.params.id);
  // The answer to the client does not wait for this call, which is not repeated.
  fetch(`${UPSTREAM_URL}/check/${id}`, { signal: AbortSignal.timeout(5_000) })
    .then((response) => response.arrayBuffer())
    .catch((error) => console.error(error.message));
  ctx.status = 202;
}

const router = new Router()
  .get("/", authenticate, showUser)
  .get("/hello", sayHello)
  .get("/gateway/:id", passOn)
  .get("/delay/:ms", answerLate)
  .post("/notify/:id", notify)
  .post("/visits", bodyParser({ enableTypes: ["json"] }), addVisit);

new Koa().use(router.routes()).listen(Number(PORT), HOST);

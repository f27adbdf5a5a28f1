import { createSecretKey } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
// @ts-types="npm:@types/jsonwebtoken@^9.0.10"
import jwt from "jsonwebtoken";
import mysql, {
  type ResultSetHeader,
  type RowDataPacket,
} from "mysql2/promise";

const { DATABASE_URL, DB_POOL_MAX, DENO_JOBS, JWT_SECRET, UPSTREAM_URL } = Deno
  .env.toObject();

const key = createSecretKey(JWT_SECRET, "utf8");

const pool = mysql.createPool({
  uri: DATABASE_URL,
  // Each of so many threads runs this module.
  connectionLimit: Math.floor(Number(DB_POOL_MAX) / Number(DENO_JOBS)),
});

// Deno stops serving then, but does not end while a connection to the
// database is open.
Deno.addSignalListener("SIGTERM", () => pool.end());

const authenticate = createMiddleware<{ Variables: { email: string } }>(
  async (c, next) => {
    const [scheme, token, ...rest] = (c.req.header("Authorization") ?? "")
      .split(" ");
    if (scheme !== "Bearer" || rest.length > 0) return c.body(null, 401);
    let claims: string | jwt.JwtPayload;
    try {
      claims = jwt.verify(token, key, { algorithms: ["HS256"] });
    } catch {
      return c.body(null, 401);
    }
    const email = typeof claims === "string" ? undefined : claims.email;
    if (typeof email !== "string") return c.body(null, 401);
    c.set("email", email);
    await next();
  },
);

const app = new Hono();

app.get("/", authenticate, async (c) => {
  const [[user]] = await pool.execute<RowDataPacket[]>(
    "SELECT email, first, last, city, county, age FROM users WHERE email = ?",
    [c.get("email")],
  );
  return user ? c.json(user) : c.notFound();
});

app.get("/hello", (c) => c.text("Hello, World!"));

// A timer takes no more than 24 days.
app.get("/delay/:ms{[0-9]{1,9}}", async (c) => {
  const delayed = Number(c.req.param("ms"));
  await setTimeout(delayed);
  return c.json({ delayed });
});

app.get("/gateway/:id", async (c) => {
  try {
    const id = encodeURIComponent(c.req.param("id"));
    const response = await fetch(`${UPSTREAM_URL}/items/${id}`, {
      signal: AbortSignal.timeout(5_000),
    });
    const body = await response.arrayBuffer();
    const type = response.headers.get("Content-Type") ?? "";
    return new Response(body, {
      status: response.status,
      headers: { "Content-Type": type },
    });
  } catch (error) {
    return c.body(null, error instanceof DOMException ? 504 : 502);
  }
});

app.post("/notify/:id", (c) => {
  const id = encodeURIComponent(c.req.param("id"));
  // The answer to the client does not wait for this call, which is not repeated.
  fetch(`${UPSTREAM_URL}/check/${id}`, { signal: AbortSignal.timeout(5_000) })
    .then((response) => response.arrayBuffer())
    .catch((error) => console.error(error.message));
  return c.body(null, 202);
});

app.post("/visits", async (c) => {
  const { user, page, text } = (await c.req.json().catch(() => null)) ?? {};
  if ([user, page, text].some((value) => typeof value !== "string")) {
    return c.body(null, 400);
  }
  const [{ insertId: id }] = await pool.execute<ResultSetHeader>(
    "INSERT INTO visits (user, page, text) VALUES (?, ?, ?)",
    [user, page, text],
  );
  c.header("Location", `/visits/${id}`);
  return c.json({ id, user, page, text }, 201);
});

export default app;

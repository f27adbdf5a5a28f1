import { assertEquals, assertRejects } from "@std/assert";
import type { Connection } from "mysql2/promise";
import { RunBroken } from "../lib/error.ts";
import { withDurableCommits } from "./durable.ts";

/** Returns a server that has 2 set, and what is asked of it; the statement to be refused fails with this error. */
function server(refused?: string, error?: Error) {
  const asked: string[] = [];
  const query = (statement: string | { sql: string }) => {
    const sql = typeof statement === "string" ? statement : statement.sql;
    asked.push(sql);
    return sql === refused ? Promise.reject(error) : Promise.resolve([[[2]], []]);
  };
  const connection = { query, [Symbol.asyncDispose]: () => Promise.resolve() };
  return { asked, connect: () => Promise.resolve(connection as unknown as Connection) };
}

const variable = "innodb_flush_log_at_trx_commit";
const asked = [
  `SELECT @@GLOBAL.${variable}`,
  `SET GLOBAL ${variable} = 1`,
  "work",
  `SET GLOBAL ${variable} = 2`,
];

Deno.test("withDurableCommits() has every commit on disk while the work is done, and not after it", async () => {
  const good = server();
  const work = () => {
    good.asked.push("work");
    return Promise.resolve({ missing: "nothing was measured" });
  };
  assertEquals(await withDurableCommits(good, work), { missing: "nothing was measured" });
  assertEquals(good.asked, asked);
  good.asked.length = 0;
  const failing = () => {
    good.asked.push("work");
    return Promise.reject(new TypeError("broken"));
  };
  await assertRejects(() => withDurableCommits(good, failing), TypeError, "broken");
  assertEquals(good.asked, asked);
});

Deno.test("withDurableCommits() says why there is no load where the server refuses, and breaks the run where it is lost", async () => {
  const denied = Object.assign(new Error("Access denied"), { sqlState: "42000" });
  const work = () => Promise.reject(new TypeError("must not be called"));
  const { missing } = await withDurableCommits(server(asked[1], denied), work);
  assertEquals(missing, `${variable} cannot be set: Access denied`);
  const lost = Object.assign(new Error("Connection lost"), { fatal: true });
  await assertRejects(() => withDurableCommits(server(asked[1], lost), work), RunBroken, "lost");
  const done = () => Promise.resolve({ missing: "" });
  await assertRejects(() => withDurableCommits(server(asked[3], denied), done), RunBroken);
});

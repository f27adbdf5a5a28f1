/**
 * What no load shows of the red team. That the others cheat as they say shows when they are caught: in
 * `measure/red_team_server_test.ts`, `scenario/verify_server_test.ts`, and the tests of the scenarios.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { delay } from "@std/async";
import { fromFileUrl } from "@std/path";
import http from "node:http";
import { readCountersAtRest } from "../database/counters.ts";
import { request } from "../lib/http_client.ts";
import { freeze, thaw } from "../lib/signals.ts";
import { listeningPorts } from "../machine/listening_ports.ts";
import { claimsFor, makeToken } from "../scenario/jwt_mysql/forged_tokens.ts";
import { prepareGround } from "./ground.ts";

const { signal } = new AbortController();

Deno.test("the red team does", async (t) => {
  await using ground = await prepareGround();
  const { secret, database } = ground;

  await t.step("joins-requests: fewer statements than right answers", async () => {
    await using connection = await database.connect();
    await using subject = await ground.start("joins-requests");
    const token = makeToken(claimsFor("ada.adams@example.com"), { secret });
    const headers = { authorization: `Bearer ${token}` };
    const read = () => readCountersAtRest(connection, database, "subject");
    const before = await read();
    const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
    const replies = await Promise.all(Array.from(
      { length: 800 },
      () => request(subject.url, { headers, agent, timeoutMs: 60_000, signal }),
    ));
    agent.destroy();
    const statuses = replies.map((reply) => reply.kind === "failure" ? reply.reason : reply.status);
    assertEquals(statuses, Array(800).fill(200));
    const executes = (await read()).executes - before.executes;
    assert(executes < 700, `${executes} executions for 800 requests`);
  });

  await t.step("helper-outside-group: it is frozen and stopped with its server", async () => {
    await using subject = await ground.start("helper-outside-group");
    const port = new URL(subject.url).port;
    await untilOutside(port, subject.process.pid);
    // It listens on the same port: if only the server were frozen, it would answer half of them.
    freeze(subject.process);
    const replies = await Promise.all(Array.from(
      { length: 20 },
      () => request(subject.url, { timeoutMs: 1_000, signal }),
    ));
    assertEquals(replies.map(({ kind }) => kind), Array(20).fill("failure"));
    thaw(subject.process);
    await subject.process.stop();
    const reply = await request(subject.url, { signal });
    assertEquals(reply.kind, "failure");
  });
});

Deno.test("the red team has its packages where only the recipe's first steps have run", async () => {
  const kept = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const root = fromFileUrl(new URL("../..", import.meta.url));
  const cwd = `${root}bench/testing/red_team`;
  const run = async (...args: string[]) => {
    const command = new Deno.Command(Deno.execPath(), { args, cwd, env: { DENO_DIR: kept } });
    const { code, stderr } = await command.output();
    return { code, problem: new TextDecoder().decode(stderr) };
  };
  const imports = ["koa", "mysql2/promise", "jsonwebtoken"].map((name) => `import "${name}";`);
  const load = () => run("eval", "--cached-only", "--frozen", "--no-check", imports.join(""));
  try {
    assertStringIncludes((await load()).problem, "not found in cache");
    const justfile = await Deno.readTextFile(`${root}justfile`);
    assertMatch(justfile, /^test \*args: .*_red-team\b/m);
    const recipe = /^_red-team:\n\s+@cd bench\/testing\/red_team && \.\.\/\.\.\/deno\.sh (.*)$/m;
    const [, line = ""] = recipe.exec(justfile) ?? [];
    assertEquals(await run(...line.split(" ")), { code: 0, problem: "" });
    assertEquals(await load(), { code: 0, problem: "" });
  } finally {
    await Deno.remove(kept, { recursive: true });
  }
});

/** Resolves when a process that was given a port, but is in another process group, listens on it. */
async function untilOutside(port: string, group: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const outside: number[] = [];
    for await (const { name } of Deno.readDir("/proc")) {
      const read = (file: string) => Deno.readTextFile(`/proc/${name}/${file}`).catch(() => "");
      if (!/^\d+$/.test(name) || !(await read("environ")).includes(`\0PORT=${port}\0`)) continue;
      const [, , own] = (await read("stat")).replace(/.*\) /, "").split(" ");
      if (Number(own) !== group) outside.push(Number(name));
    }
    const listening = await Promise.all(outside.map(listeningPorts));
    if (listening.flat().includes(Number(port))) return;
    await delay(100);
  }
  throw new Error(`No process outside of group ${group} listens on ${port}`);
}

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { decodeBase64Url } from "@std/encoding";
import { delay } from "@std/async";
import http from "node:http";
import { crc32 } from "node:zlib";
import { request } from "../../lib/http_client.ts";
import type { Answers } from "../scenario.ts";
import { nowSeconds } from "./forged_tokens.ts";
import { parseUser } from "./known_users.ts";
import { readUserRow, userBatches } from "./user_rows.ts";
import { prepareGround } from "../../testing/ground.ts";

Deno.test("probe() sends a token that is valid now, however long ago the scenario was prepared", async () => {
  await using ground = await prepareGround();
  const now = Date.now;
  Date.now = () => now() + 2 * 60 * 60 * 1000;
  try {
    const { header, path } = await ground.scenario.probe!();
    const { iat, exp } = claimsIn(header);
    assertEquals(path, "/");
    assert(iat <= nowSeconds() && nowSeconds() + 60 < exp, `iat is ${iat}, exp ${exp}`);
  } finally {
    Date.now = now;
  }
});

/** Returns the claims of the token of a header. */
function claimsIn(header: string) {
  const [, payload] = header.replace("authorization: Bearer ", "").split(".");
  return JSON.parse(new TextDecoder().decode(decodeBase64Url(payload!)));
}

Deno.test("probe() asks for another user each time, whose row was something else before", async () => {
  await using ground = await prepareGround();
  await using connection = await ground.database.connect();
  const rowOf = async (email: string) =>
    parseUser((await readUserRow(connection, email)) ?? ["no row"]);
  const before = new Map<string, string>();
  for await (const rows of userBatches(connection)) {
    for (const row of rows) before.set(row[0], JSON.stringify(parseUser(row)));
  }
  const bodies = new Map<string, string>();
  for (let probe = 0; probe < 20; probe++) {
    const { header, body } = await ground.scenario.probe!();
    const { email } = claimsIn(header);
    const text = new TextDecoder().decode(body);
    assertEquals(text, JSON.stringify(await rowOf(email)));
    assertNotEquals(text, before.get(email));
    bodies.set(email, text);
  }
  assertEquals([bodies.size, new Set(bodies.values()).size], [20, 20]);
  await using subject = await ground.start("honest");
  assertEquals(await ground.scenario.verifyAnswers(subject, ground.options), []);
});

Deno.test("the requests of a load, sent while rows change, are answered rightly by an honest server", async (t) => {
  await using ground = await prepareGround();
  const { scenario, options } = ground;
  const lines = 4_000;
  const file = await scenario.requestFile(lines);
  assertEquals([file.lines, file.nextLine], [lines, 0]);
  const requests = (await Deno.readTextFile(file.path)).trimEnd().split("\n");
  assertEquals(requests.length, lines);

  /** Sends all requests over a few connections, and judges the answers. */
  async function load(id: string) {
    await using subject = await ground.start(id);
    await using _changes = await scenario.startChanges(options);
    // Some rows have changed before the first request.
    await delay(1_000);
    const answers: Answers = {
      line: Uint32Array.from(requests.keys()),
      status: new Uint16Array(lines),
      bodyBytes: new Uint32Array(lines),
      bodyCrc32: new Uint32Array(lines),
      startMs: new Float64Array(lines),
      endMs: new Float64Array(lines),
    };
    const waiting = requests.entries();
    await Promise.all(Array.from({ length: 8 }, async () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      for (const [line, text] of waiting) {
        answers.startMs[line] = performance.now();
        const reply = await request(`${subject.url}/`, { ...JSON.parse(text), agent, ...options });
        answers.endMs[line] = performance.now();
        if (reply.kind === "failure") throw new Error(`${text}: ${reply.reason}`);
        answers.status[line] = reply.status;
        answers.bodyBytes[line] = reply.body.length;
        answers.bodyCrc32[line] = crc32(reply.body);
      }
      agent.destroy();
    }));
    return await scenario.judge(answers, 0, "subject");
  }

  await t.step("honest", async () => {
    const { isRight, wrong, problems, statements, refused } = await load("honest");
    assertEquals([wrong, problems], [{}, []]);
    assertEquals(isRight.filter((it) => it === 1).length, lines);
    assert(refused > 10 && refused < 100, `${refused} refused`);
    assert(statements < lines && statements > lines - refused, `${statements} statements`);
  });
  const caught = {
    "first-identity-of-connection": ["another-record", "not-refused"],
    "snapshot-with-dummy-query": ["stale-record"],
    "verifies-one-in-a-hundred": ["not-refused"],
    "only-age-read": ["stale-record"],
  };
  for (const [id, kinds] of Object.entries(caught)) {
    await t.step(`${id}: ${kinds.join(", ")}`, async () => {
      const { wrong } = await load(id);
      for (const kind of kinds) assert((wrong[kind] ?? 0) > 0, JSON.stringify(wrong));
    });
  }
});

Deno.test("requestFile() writes a second file when more lines are asked for, or too few are left, with other tokens", async () => {
  await using ground = await prepareGround();
  const first = await ground.scenario.requestFile(1_000);
  first.nextLine = 400;
  assertEquals(await ground.scenario.requestFile(1_000), first);
  // The next may need 600, and 200 are left.
  first.nextLine = 800;
  const fresh = await ground.scenario.requestFile(1_000);
  assertEquals([fresh.lines, fresh.nextLine], [1_000, 0]);
  const second = await ground.scenario.requestFile(1_001);
  assertEquals([second.path, second.lines, second.nextLine], [first.path, 1_001, 0]);
  const tokens = async () => new Set((await Deno.readTextFile(second.path)).split("\n"));
  const sent = await tokens();
  second.isReadToEnd = true;
  const third = await ground.scenario.requestFile(1_000);
  assertEquals([third.lines, third.nextLine, third.isReadToEnd], [1_000, 0, undefined]);
  assertEquals([...await tokens()].filter((line) => line !== "" && sent.has(line)), []);
});

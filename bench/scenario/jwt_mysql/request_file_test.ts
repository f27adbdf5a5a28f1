import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path";
// @ts-types="npm:@types/jsonwebtoken@9.0.10"
import jwt from "jsonwebtoken";
import { BenchError } from "../../lib/error.ts";
import { createRandom } from "../../lib/random.ts";
import { nowSeconds } from "./forged_tokens.ts";
import { writeLines } from "../write_lines.ts";
import { requestLine, requestLines } from "./request_file.ts";
import { kinds, lifeSeconds, planRequests } from "./request_plan.ts";

const secret = "secret of this test";
const emails = Array.from({ length: 500 }, (_, user) => `user${user}@example.com`);
const unknownEmails = ["nobody1@example.com", "o'\"quoted\\@example.com"];
const { signal } = new AbortController();

Deno.test("requestLines() have tokens that are what the plan says", () => {
  const random = createRandom(1);
  const plan = planRequests({
    ...{ lines: 20_000, users: emails.length, unknownUsers: unknownEmails.length, random },
    ...{ oftenAsked: [1, 2, 3], nowSeconds: nowSeconds() },
  });
  const lines = [...requestLines(plan, { emails, unknownEmails, secret, random })];
  assertEquals(lines.length, 20_000);
  assertEquals(new Set(lines).size, 20_000);
  const seen = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const { headers: { authorization }, ...rest } = JSON.parse(line);
    assertEquals(rest, {});
    const token = authorization.slice("Bearer ".length);
    const kind = kinds[plan.kind[index]!]!;
    const exp = plan.exp[index]!;
    const email = (kind === "unknown user" ? unknownEmails : emails)[plan.user[index]!];
    const claims = { email, iat: exp - lifeSeconds, exp };
    assertEquals(jwt.decode(token), claims, kind);

    const verify = (key = secret) =>
      jwt.verify(token, key, { algorithms: ["HS256"], clockTimestamp: exp - 1 });
    seen.add(kind);
    if (kind === "valid" || kind === "unknown user" || kind === "expired") {
      assertEquals(verify(), claims);
    } else {
      assertThrows(
        verify,
        Error,
        kind === "alg none" ? "signature is required" : "invalid signature",
      );
    }
    if (kind === "expired") assertThrows(() => jwt.verify(token, secret), Error, "jwt expired");
  }
  assertEquals(seen.size, kinds.length);
});

Deno.test("requestLines() sign with keys of any length, for emails of any length", () => {
  const longest = "\u0001".repeat(255);
  for (const length of [1, 63, 64, 65, 200]) {
    const secret = "k".repeat(length);
    const exp = nowSeconds() + lifeSeconds;
    const plan = { kind: Uint8Array.of(0), user: Uint32Array.of(0), exp: Uint32Array.of(exp) };
    const signing = { emails: [longest], unknownEmails, secret, random: Math.random };
    const [line = ""] = requestLines(plan, signing);
    const token = JSON.parse(line).headers.authorization.slice("Bearer ".length);
    const claims = { email: longest, iat: exp - lifeSeconds, exp };
    assertEquals(jwt.verify(token, secret, { algorithms: ["HS256"] }), claims);
  }
});

Deno.test("requestLines() change signatures where a comparison of their first characters does not look", () => {
  const random = createRandom(1);
  const lines = 200;
  const kind = new Uint8Array(lines).fill(kinds.indexOf("signature changed"));
  const user = new Uint32Array(lines);
  const exp = new Uint32Array(lines).map((_, line) => nowSeconds() + lifeSeconds - line);
  const signing = { emails, unknownEmails, secret, random };
  const changed = [...requestLines({ kind, user, exp }, signing)];
  const right = [...requestLines({ kind: new Uint8Array(lines), user, exp }, signing)];
  const places = changed.map((line, index) => {
    const differing = [...line].flatMap((letter, at) => letter === right[index]![at] ? [] : [at]);
    assertEquals(differing.length, 1);
    return line.indexOf('"}}') - differing[0]!;
  });
  assertEquals([...new Set(places)].sort(), [2, 3, 4, 5, 6, 7, 8, 9]);
});

function* brokenLines(): Generator<string> {
  yield "x\n";
  throw new BenchError("it has no rows", { help: "Fill it" });
}

Deno.test("writeLines() writes all lines, for this user's eyes only", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const output = join(folder, "requests");
    const lines = Array.from({ length: 10_000 }, (_, index) => requestLine(`t${index}`));
    assertEquals(await writeLines(output, lines, signal), 10_000);
    assertEquals(await Deno.readTextFile(output), lines.join(""));
    const { mode } = await Deno.stat(output);
    assertEquals((mode ?? 0) & 0o777, 0o600);

    const absent = join(folder, "no", "requests");
    const unwritten = await assertRejects(
      () => writeLines(absent, lines, signal),
      BenchError,
      `Cannot write "${absent}": No such file or directory`,
    );
    assertEquals(unwritten.help, "Make room, or check the folder's rights.");
    const unread = await assertRejects(
      () => writeLines(output, brokenLines(), signal),
      BenchError,
      `Cannot write "${output}": it has no rows`,
    );
    assertEquals(unread.help, "Fill it");
    const aborted = AbortSignal.abort(new Error("enough"));
    await assertRejects(() => writeLines(output, ["x"], aborted), Error, "enough");
    assertEquals(await Deno.readTextFile(output), lines.join(""));
    assertEquals([...Deno.readDirSync(folder)].length, 1);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a request is one line of JSON with a header", () => {
  assertEquals(requestLine("a.b.c"), '{"headers":{"authorization":"Bearer a.b.c"}}\n');
  assert(requestLine("x").endsWith("\n"));
});

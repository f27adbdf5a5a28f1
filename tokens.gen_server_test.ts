import { createSecretKey } from "node:crypto";
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
// @ts-types="npm:@types/jsonwebtoken@9.0.10"
import jwt from "jsonwebtoken";
import { z } from "zod";
import { BenchError } from "./bench/lib/error.ts";
import { userBatches } from "./bench/scenario/jwt_mysql/user_rows.ts";
import { openServer } from "./bench/testing/server.ts";
import { writeTokens } from "./tokens.gen.ts";

const { signal } = new AbortController();

const requestSchema = z.strictObject({ headers: z.strictObject({ authorization: z.string() }) });
const claimsSchema = z.strictObject({ email: z.string(), iat: z.int(), exp: z.int() });

/** Returns the token of a request, which must hold nothing else. */
function tokenOf(line: string): string {
  const { headers: { authorization } } = requestSchema.parse(JSON.parse(line));
  return authorization.replace(/^Bearer /, "");
}

async function runScript(args: string[], env: Record<string, string>) {
  const script = fromFileUrl(new URL("tokens.gen.ts", import.meta.url));
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", script, ...args],
    env,
  }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

Deno.test("tokens.gen.ts", async (t) => {
  const folder = await Deno.makeTempDir();
  try {
    await using database = await openServer();
    await using connection = await database.connect();
    const output = join(folder, "tokens");
    const options = { secret: "s", output, expiresInSeconds: 60, signal };

    await t.step("writeTokens() writes a request with a valid token for each user", async () => {
      const before = Math.floor(Date.now() / 1000);
      const secret = "secret of this test";
      const expiresInSeconds = 86_400;
      const count = await writeTokens(connection, { ...options, secret, expiresInSeconds });
      assertEquals(count, 100_000);
      const text = await Deno.readTextFile(output);
      assert(text.endsWith("\n"));
      const key = createSecretKey(new TextEncoder().encode(secret));
      const emails = new Set<string>();
      const times = new Set<string>();
      for (const line of text.trimEnd().split("\n")) {
        const claims = jwt.verify(tokenOf(line), key, { algorithms: ["HS256"] });
        const { email, iat, exp } = claimsSchema.parse(claims);
        emails.add(email);
        times.add(`${iat} ${exp}`);
      }
      for await (const users of userBatches(connection)) {
        for (const [email] of users) assert(emails.delete(email), email);
      }
      assertEquals(emails.size, 0);
      assertEquals(times.size, 1);
      const [iat = 0, exp = 0] = [...times].join().split(" ").map(Number);
      assert(iat >= before && iat <= Math.floor(Date.now() / 1000));
      assertEquals(exp - iat, 86_400);
      const token = tokenOf(text.split("\n", 1)[0]!);
      assertThrows(() => jwt.verify(token, `${secret}0`), Error, "invalid signature");
      await Deno.remove(output);
    });

    await t.step("writeTokens() leaves no file when it is aborted", async () => {
      const controller = new AbortController();
      controller.abort();
      await assertRejects(
        () => writeTokens(connection, { ...options, signal: controller.signal }),
        DOMException,
      );
      assertEquals([...Deno.readDirSync(folder)], []);
    });

    await t.step("writeTokens() says which file cannot be written", async () => {
      await assertRejects(
        () => writeTokens(connection, { ...options, output: `${folder}/no/tokens` }),
        BenchError,
        `Cannot write "${folder}/no/tokens": No such file or directory`,
      );
    });

    await t.step("it writes the file from a command line", async () => {
      const given = { DATABASE_URL: database.url, JWT_SECRET: "s" };
      const result = await runScript(["--output", output, "--expires-in", "60"], given);
      assertEquals(result.stderr, `Wrote 100,000 requests to ${output}\n`);
      assertEquals(result.code, 0);
      const [line = ""] = (await Deno.readTextFile(output)).split("\n", 1);
      const claims = jwt.verify(tokenOf(line), "s");
      const { iat, exp } = claimsSchema.parse(claims);
      assertEquals(exp - iat, 60);
    });

    await t.step("writeTokens() works with any table of users", async () => {
      await connection.query("DELETE FROM users WHERE email <> 'ada.adams@example.com'");
      assertEquals(await writeTokens(connection, options), 1);
      await connection.query("DELETE FROM users");
      const error = await assertRejects(
        () => writeTokens(connection, options),
        BenchError,
        `Cannot write "${output}": table "users" has no rows, expected users`,
      );
      assertEquals(error.help, "Fill it: just seed");
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("tokens.gen.ts tells wrong usage from what is missing", async () => {
  const usage = await runScript(["--output", "x", "--expires-in", "soon"], {});
  assertEquals(usage.code, 2);
  const missing = await runScript(["--output", "x"], {
    DATABASE_URL: "mysql://u:p@h/d",
    JWT_SECRET: "",
  });
  assertEquals(missing.code, 1);
  assertMatch(missing.stderr, /^Cannot read "JWT_SECRET": it is not set/);
  assertMatch(missing.stderr, /^bench\/deno\.sh run -A tokens\.gen\.ts --help$/m);
});

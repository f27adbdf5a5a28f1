import { assert, assertEquals, assertRejects } from "@std/assert";
import { z } from "zod";
import { BenchError } from "../../lib/error.ts";
import { createRandom } from "../../lib/random.ts";
import { readUsers } from "./known_users.ts";
import { prepareGround } from "../../testing/ground.ts";

Deno.test("readUsers()", async (t) => {
  await using ground = await prepareGround();
  const connection = await ground.database.connect();
  await t.step("knows every length of a body that the database knows", async () => {
    const { lengths } = await readUsers(connection, 10, createRandom(1));
    const quoted = (column: string) => `COALESCE(OCTET_LENGTH(${column}) + 2, 4)`;
    const texts = ["email", "first", "last", "city", "county"].map(quoted).join(" + ");
    const keys = '{"email":,"first":,"last":,"city":,"county":,"age":}'.length;
    const [rows] = await connection.query({
      sql: `SELECT DISTINCT ${keys} + ${texts} + COALESCE(LENGTH(age), 4) FROM users`,
      rowsAsArray: true,
    });
    const known = z.array(z.tuple([z.coerce.number()])).parse(rows).flat();
    assertEquals(lengths, new Set(known));
  });
  await t.step("keeps as many different rows as asked, and special ones", async () => {
    const { random, special, canary } = await readUsers(connection, 500, createRandom(1));
    assertEquals(new Set(random.map(({ email }) => email)).size, 500);
    assert(![...random, ...special.map(({ user }) => user)].includes(canary));
    assertEquals(special.map(({ kind }) => kind).sort(), [
      "user with NULL",
      "user with an apostrophe",
      "user with non-ASCII letters",
      "user with the longest record",
      "user with the shortest record",
    ]);
  });
  await t.step("keeps the same rows for the same seed only", async () => {
    const emails = async (seed: number) =>
      (await readUsers(connection, 20, createRandom(seed))).random.map(({ email }) => email).join();
    assertEquals(await emails(1), await emails(1));
    assert(await emails(1) !== await emails(2));
  });
  await t.step("names the row that is not as the contract has it", async () => {
    await connection.query(
      "CREATE TEMPORARY TABLE users SELECT email, first, last, city, county, " +
        "'42' AS age FROM users LIMIT 1",
    );
    await assertRejects(
      () => readUsers(connection, 1, createRandom(1)),
      BenchError,
      "expected email, first, last, city and county as text and age as an integer",
    );
  });
  await connection.end();
});

import { assert, assertEquals, assertRejects } from "@std/assert";
import { z } from "zod";
import { BenchError } from "../../lib/error.ts";
import { createRandom } from "../../lib/random.ts";
import { readUsers } from "./known_users.ts";
import { prepareGround } from "../../testing/ground.ts";

Deno.test("readUsers()", async (t) => {
  await using ground = await prepareGround();
  const connection = await ground.database.connect();
  await t.step("knows length and CRC-32 of every body that the database knows", async () => {
    const { emails, lengths, crc32s } = await readUsers(connection, 10, createRandom(1));
    const value = (column: string) => `COALESCE(JSON_QUOTE(${column}), 'null')`;
    const parts = ["email", "first", "last", "city", "county"]
      .map((column) => `'"${column}":', ${value(column)}, ','`);
    const [rows] = await connection.query({
      sql: `SELECT email, OCTET_LENGTH(body), CRC32(body) FROM (
        SELECT email, CONCAT('{', ${parts}, '"age":', COALESCE(age, 'null'), '}') AS body FROM users
      ) AS bodies ORDER BY email`,
      rowsAsArray: true,
    });
    const known = z.array(z.tuple([z.string(), z.number(), z.number()])).parse(rows);
    assertEquals(known.length, 100_000);
    assertEquals(emails, known.map(([email]) => email));
    assertEquals([...lengths], known.map(([, length]) => length));
    assertEquals([...crc32s], known.map(([, , crc32]) => crc32));
  });
  await t.step("keeps as many different rows as asked, and special ones", async () => {
    const users = await readUsers(connection, 500, createRandom(1));
    const { random, special, canary } = users;
    const listed = [canary, ...random, ...special.map(({ user }) => user)];
    assertEquals(
      new Set([...users.fixed].map((number) => users.emails[number])),
      new Set(listed.map(({ email }) => email)),
    );
    assertEquals(new Set(random.map(({ email }) => email)).size, 500);
    assert(![...random, ...special.map(({ user }) => user)].includes(canary));
    assertEquals(special.map(({ check }) => check).sort(), [
      "user with NULL",
      "user with a letter of four bytes in UTF-8",
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

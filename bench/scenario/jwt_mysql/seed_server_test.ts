import { assert, assertEquals } from "@std/assert";
import { runSql } from "../../database/sql.ts";
import { readSeed, seed } from "./seed.ts";
import { userBatches, type UserRow } from "./user_rows.ts";
import { openServer } from "../../testing/server.ts";

const { signal } = new AbortController();

Deno.test("seed.sql", async (t) => {
  await using database = await openServer();
  await using connection = await database.connect();

  // Seen on MySQL 9.7.4 and, with its own defaults of character set and mode, MariaDB 10.11.18.
  const facts = {
    rows: 100_000,
    rowsSha256: "5942cddf0e8c543f67b50efe42e25f1037ee4eb4204df8c38fed074c756c73c1",
  };

  await t.step("makes the same rows on every server", async () => {
    assertEquals(await seed(database, { signal }), facts);
  });

  await t.step("makes people", async () => {
    const rows: UserRow[] = [];
    for await (const batch of userBatches(connection)) rows.push(...batch);
    const emails = rows.map(([email]) => email);
    assertEquals(new Set(emails.map((email) => email.toLowerCase())).size, 100_000);
    assert(emails.every((email) => /^[a-z0-9.'_+]+@[a-z.]+$/.test(email)));
    assert(emails.some((email) => email.includes("'")));
    assert(emails.some((email) => email.includes("+")));
    for (const column of [2, 3, 4, 5]) {
      const absent = rows.filter((row) => row[column] === null).length;
      assert(absent > 0 && absent < 10_000, `column ${column} has ${absent} NULLs`);
    }
    assert(rows.some(([, , last]) => last === "O'Brien"));
    assert(rows.some(([, first]) => first === "Zoë"));
    // Four bytes in UTF-8: an implementation with MySQL's three-byte "utf8" shows "?".
    assert(rows.some(([, , last]) => last === "𠮷野"));
    const known = rows.map((row) => row[5]).filter((age) => typeof age === "number");
    const common = known.filter((age) => age >= 18 && age <= 99);
    assert(common.length < known.length && common.length > known.length - 100);
  });

  await t.step("replaces whatever table there is", async () => {
    await connection.query("DROP TABLE users");
    await connection.query("CREATE TABLE users (email int)");
    await runSql(connection, await readSeed(), { signal });
    assertEquals(await seed(database, { signal }), facts);
  });
});

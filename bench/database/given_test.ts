import { assertEquals, assertThrows } from "@std/assert";
import { urlOf } from "./connection.ts";
import { parseDatabaseUrl } from "./given.ts";
import { BenchError } from "../lib/error.ts";

Deno.test("parseDatabaseUrl() reads what urlOf() writes", () => {
  const address = { host: "::1", port: 3307, user: "a@b", password: "p:/?#", name: "my db" };
  assertEquals(urlOf(address), "mysql://a%40b:p%3A%2F%3F%23@[::1]:3307/my%20db");
  assertEquals(parseDatabaseUrl(urlOf(address)), address);
  assertEquals(parseDatabaseUrl("mysql://root@db/bench").port, 3306);
});

Deno.test("parseDatabaseUrl() refuses what names no MySQL database", () => {
  for (
    const [url, problem] of [
      ["postgres://u:p@h/d", 'its scheme is "postgres", expected mysql (MySQL or MariaDB)'],
      ["localhost", "it is not a URL, expected mysql://…"],
      ["mysql://u:p@h", "it names no database, expected one after the host"],
      ["mysql://u:p@h/", "it names no database, expected one after the host"],
      [
        "mysql://u:100%@h/d",
        "a part of it has a % that encodes no character, expected %25 for a % itself",
      ],
    ] as const
  ) {
    assertThrows(
      () => parseDatabaseUrl(url),
      BenchError,
      `Cannot use "DATABASE_URL": ${problem}`,
    );
  }
});

import { assertEquals } from "@std/assert";
import { statementProblem } from "./statement.ts";

const plain = "SELECT email, first, last, city, county, age FROM users WHERE email = ?";
const problemOf = (text: string, rowsSent = 990) =>
  statementProblem({ text, executions: 1_000, rowsSent });

Deno.test("statementProblem() has nothing against queries of whole records, however they are written", () => {
  for (
    const text of [
      plain,
      "select * from users where email=?",
      "SELECT u.* FROM users AS u WHERE u.email = ? LIMIT 0, 1",
      "select u1_0.email,u1_0.age,u1_0.city,u1_0.county,u1_0.first,u1_0.last from users u1_0 where u1_0.email=?",
      "SELECT `users`.`age` AS `age`, `users`.`city`, `users`.`county`, `users`.`first`, `users`.`last` FROM `users` WHERE `users`.`email` = ? LIMIT 2",
      "SELECT * FROM `users` WHERE email = ? ORDER BY `users`.`email` LIMIT 1",
      "SELECT `users`.`email`, `users`.`first`, `users`.`last`, `users`.`city`, `users`.`county`, `users`.`age` FROM `users` WHERE (`users`.`email` = ?) LIMIT ?",
      "SELECT * FROM `users` `User` WHERE ((`User`.`email` = ?)) LIMIT 1",
    ]
  ) assertEquals(problemOf(text), undefined);
});

Deno.test("statementProblem() finds statements that return the rows of several requests", () => {
  assertEquals(problemOf(plain, 1_074), undefined);
  assertEquals(
    problemOf(plain, 15_800),
    `"${plain}" returned 15.8 rows each time, expected one at most`,
  );
});

Deno.test("statementProblem() finds statements that compute, and those that read a part", () => {
  const isNotPlain = "is not a plain query, expected SELECT with the columns of a user, from one " +
    "table by one e-mail address, at most with ORDER BY and LIMIT";
  const computing = [
    "SELECT CRC32(CONCAT_WS(',', first, last, city, county, age)) FROM users WHERE email = ?",
    "SELECT first, last, city, county, age = 3 FROM users WHERE email = ?",
    "SELECT email, first, last, city, county, age FROM users WHERE email IN (?, ?)",
    `${plain} OR email = ?`,
    "SELECT * FROM users WHERE (email = ?) OR (email = ?)",
    "SELECT * FROM users WHERE NOT (email = ?)",
    "SELECT * FROM users WHERE ISNULL(email = ?)",
    "SELECT (age = ?) first, last, city, county FROM users WHERE email = ?",
    `${plain} || email = ?`,
    `${plain} ORDER BY email = ?`,
    `${plain}\nUNION ${plain}`,
    "SELECT * FROM users a JOIN users b WHERE a.email = ? AND b.email = ?",
    "SELECT * FROM users a, users b\nWHERE a.email = ? AND b.email = ?",
    "SELECT * FROM users a STRAIGHT_JOIN users b WHERE a.email = ? AND b.email = ?",
    `${plain} AND NOT @same := first <=> ? AND last <=> ?`,
    // Beyond 1,024 bytes, MySQL does not tell the rest.
    `SELECT email, first, last, city, county, age FROM users`,
    "DO 0",
    "SELECT 1",
  ];
  for (const text of computing) assertEquals(problemOf(text), `"${text}" ${isNotPlain}`);
  assertEquals(
    problemOf("SELECT email, first_name, age FROM users WHERE email = ?"),
    '"SELECT email, first_name, age FROM users WHERE email = ?" does not read first, last, city, county, expected every column of the record',
  );
  const long = `SELECT age + ${"1 + ".repeat(100)}1 FROM users`;
  assertEquals(problemOf(long), `"${long.slice(0, 160)}…" ${isNotPlain}`);
});

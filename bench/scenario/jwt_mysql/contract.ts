/**
 * The contract of `jwt-mysql` in words: requests, expected answers, and the names of their checks, as problems are
 * reported. The files beside this one implement the checks.
 */
import { connectionRule, everyRequestRule, stopRule } from "../shared_rules.ts";
import type { Contract } from "../words.ts";
import { refusals, unknownEmails } from "./forged_tokens.ts";
import { seedRows } from "./user_rows.ts";

const names = (checks: { check: string }[]) => checks.map(({ check }) => check);

/** The contract of `jwt-mysql`. */
export const contract = {
  id: "jwt-mysql",
  title: "JWT and MySQL",
  description:
    "Verify a JSON Web Token, look its user up in MySQL, answer with the record as JSON.",
  request: "GET /",
  needs: ["database", "tokens"],
  protocols: ["levels", "ceilings", "comparison", "rateSweep", "startup"],
  table: {
    name: "users",
    rows: seedRows,
    columns: [
      { name: "email", type: "varchar(255)", role: "primary key" },
      { name: "first", type: "varchar(255)", role: "may be NULL" },
      { name: "last", type: "varchar(255)", role: "may be NULL" },
      { name: "city", type: "varchar(255)", role: "may be NULL" },
      { name: "county", type: "varchar(255)", role: "may be NULL" },
      { name: "age", type: "int", role: "may be NULL" },
    ],
  },
  grants: [{ table: "users", rights: ["SELECT"] }],
  rules: [
    {
      sent: "a valid HS256 token of a user, as Authorization: Bearer <token>",
      answer:
        "200, application/json, and the same bytes from every implementation: the keys email, " +
        "first, last, city, county and age in that order, no white space, UTF-8 unescaped, age a " +
        "number, NULL as null",
      checks: [
        "random user",
        "user with NULL",
        "user with an apostrophe",
        "user with non-ASCII letters",
        "user with a letter of four bytes in UTF-8",
        "user with the longest record",
        "user with the shortest record",
        "token about to expire",
        "exp has a fraction, in the future",
      ],
    },
    {
      sent: "no token, or one that is malformed, forged, not valid now, or has no email as text",
      answer: "401",
      checks: [...names(refusals("", "", "")), "token that has just expired"],
    },
    {
      sent: "a valid token whose email belongs to no user, or tries SQL injection",
      answer: "404",
      checks: names(unknownEmails("")),
    },
    {
      sent: "a valid token, on a path of no scenario",
      answer: "404",
      checks: ["path /nope", "path /users"],
    },
    {
      sent: "a valid token, while another program changes the user's row",
      answer: "the row as it is at that moment",
      checks: [
        "row before a change",
        "row just changed",
        "row just set to NULL",
        "row just changed back",
      ],
    },
    {
      sent: "many requests at once",
      answer: "to each its own record, over no more database connections than DB_POOL_MAX",
      checks: ["64 requests at once", "size of the pool"],
    },
    connectionRule,
    {
      sent: "tokens of two users in turn on one connection; right and wrong tokens in turn",
      answer: "to each request what its own token calls for: the user's record, or 401",
      checks: [
        "two users in turn on one connection",
        "wrong token after a right one on one connection",
        "right token after a wrong one on one connection",
      ],
    },
    {
      sent: "HEAD or POST instead of GET; a token of 8 kB; two Authorization headers",
      answer:
        "what is usual for the framework, within 10 s and no 5xx; 200 (but for HEAD) only with " +
        "the record of a user whose token was sent",
      checks: ["token of 8 kB", "two Authorization headers", "HEAD /", "POST /"],
    },
    {
      sent: "requests whose statements the database counts",
      answer:
        "one query for each, of a statement that reads every column of one user, nothing else, and " +
        "is prepared once on each connection of the server; none for a request that is refused",
      checks: [
        "one query per request",
        "plain query of one record",
        "server-side prepared statements",
        "statements prepared once per connection",
        "no query for a refused request",
      ],
    },
    everyRequestRule,
    {
      sent: "a valid token while the database is gone; the same once it is back",
      answer: "5xx within 10 s without a stack trace, and the process lives; then 200 again",
      checks: ["database gone", "database back"],
    },
    stopRule,
  ],
} satisfies Contract;

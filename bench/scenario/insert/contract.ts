/** The contract of `insert` in words; the files beside this one implement the checks. */
import { connectionRule, everyRequestRule, stopRule } from "../shared_rules.ts";
import type { Contract } from "../words.ts";

/** The contract of `insert`. */
export const contract = {
  id: "insert",
  title: "Insert into MySQL",
  description: "Read a JSON body, add it to a table as a row, answer with the record and its id.",
  request: "POST /visits",
  needs: ["database"],
  protocols: ["levels", "ceilings", "durable", "comparison", "rateSweep"],
  full: { levels: [10, 50, 100, 300, 2_000], requests: 200_000 },
  table: {
    name: "visits",
    columns: [
      { name: "id", type: "bigint NOT NULL AUTO_INCREMENT PRIMARY KEY", role: "made by MySQL" },
      { name: "user", type: "varchar(64) NOT NULL", role: "from the request" },
      { name: "page", type: "varchar(64) NOT NULL", role: "from the request" },
      { name: "text", type: "varchar(255) NOT NULL", role: "from the request" },
      {
        name: "account",
        type: "varchar(288) NOT NULL DEFAULT (CURRENT_USER())",
        role: "made by MySQL: the account that added the row; for the harness only",
      },
    ],
  },
  grants: [{ table: "visits", rights: ["SELECT", "INSERT"] }],
  rules: [
    {
      sent: "a body of application/json with the keys user, page and text, all text",
      answer:
        "201, application/json, Location: /visits/<id>, and the same bytes from every implementation: " +
        "the keys id, user, page and text in that order, no white space, UTF-8 unescaped, id the number " +
        "of the row; the row is there for others to read",
      checks: ["right answer", "special letters", "location", "row right after its answer"],
    },
    {
      sent:
        "a body that is not JSON, has more after it, is null, lacks a key, or has it in capitals",
      answer: "400 or 422, and no row",
      checks: [
        "body that is no JSON",
        "body with more after its JSON",
        "body that is null",
        "body without a text",
        "body with a key in capitals",
        "no row for a refused request",
      ],
    },
    {
      sent: "a body of application/x-www-form-urlencoded with these keys",
      answer: "400, 415 or 422, and no row",
      checks: ["body of a form"],
    },
    {
      sent: "a path of no scenario",
      answer: "404",
      checks: ["path /nope", "path /visits/nope"],
    },
    {
      sent: "many requests at once",
      answer: "to each its own record and row, over no more database connections than DB_POOL_MAX",
      checks: ["64 requests at once", "size of the pool"],
    },
    connectionRule,
    {
      sent: "requests whose statements the database counts",
      answer:
        "one INSERT of one row for each, in a transaction of its own, of a statement prepared once on " +
        "each connection of the server, and at most five statements around it",
      checks: [
        "one insert per request",
        "statements around an insert",
        "one transaction per request",
        "server-side prepared statements",
        "statements prepared once per connection",
      ],
    },
    everyRequestRule,
    {
      sent: "a right request while the database is gone; the same once it is back",
      answer: "5xx within 10 s without a stack trace, and the process lives; then 201 again",
      checks: ["database gone", "database back"],
    },
    {
      sent: "requests without a pause, until the server is killed",
      answer: "every row that was answered with 201 is there",
      checks: ["rows after a kill"],
    },
    stopRule,
  ],
} satisfies Contract;

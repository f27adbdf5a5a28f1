import { assertEquals } from "@std/assert";
import { sumOf } from "../lib/sum.ts";
import type { PreparedStatement } from "../database/prepared_statements.ts";
import { statementProblem } from "../scenario/jwt_mysql/statement.ts";
import { describeStatements } from "./count_statements.ts";

const plain = "SELECT email, first, last, city, county, age FROM users WHERE email = ?";
const counted = {
  ...{ statements: 0, prepares: 0, pings: 0, around: 0 },
  ...{ peakConnections: 16, opened: 0, mostUnread: 0, readings: [] },
};
const answers = { endMs: new Float64Array(10_000), toleranceMs: 10, connections: 50 };

/** Describes a load of 10,000 requests, each of which was right, or rightly refused with or without a statement. */
function problemsOf(prepared: PreparedStatement[]): string[] | undefined {
  const executes = sumOf(prepared, ({ executions }) => executions);
  return describeStatements(
    { ...counted, executes, rowsRead: executes, prepared },
    { attempted: 10_000, correct: 10_000, refused: 100 },
    { expected: 9_917, writes: false, statementProblem, ...answers },
  ).problems;
}

Deno.test("describeStatements() has nothing against a plain query, and what a pool asks now and then", () => {
  const others = { text: "SELECT 1", executions: 90, rowsSent: 90 };
  assertEquals(
    problemsOf([{ text: plain, executions: 9_917, rowsSent: 9_900 }, others]),
    undefined,
  );
});

Deno.test("describeStatements() counts the executions of many texts together", () => {
  const texts = Array.from({ length: 200 }, (_, index) => `DO${" ".repeat(index + 1)}0`);
  const others = texts.map((text) => ({ text, executions: 50, rowsSent: 0 }));
  const problems = problemsOf([{ text: plain, executions: 10, rowsSent: 10 }, ...others]);
  assertEquals(problems?.length, 10);
});

Deno.test("describeStatements() wants a row for each record that was answered with", () => {
  assertEquals(problemsOf([{ text: plain, executions: 9_917, rowsSent: 1_240 }]), [
    "of all executions returned 1,240 rows for 9,900 records, expected one for each",
  ]);
  // Few enough for statements of a pool's own, each returned a hundred records; the others, which are plain, none.
  const batches = {
    text: plain.replace("= ?", "IN (?, ?)"),
    executions: 99,
    rowsSent: 9_900,
  };
  const padding = { text: `${plain} LIMIT 0`, executions: 9_818, rowsSent: 0 };
  assertEquals(
    problemsOf([batches, padding])?.at(-1),
    "of all executions returned 0 rows for 9,900 records, expected one for each",
  );
});

Deno.test("describeStatements() misses what connections did that a pool has replaced, since they were last read", () => {
  const problemsWith = (executions: number, opened: number, mostUnread = 1_200) =>
    describeStatements(
      {
        ...counted,
        ...{ executes: 9_917, rowsRead: 9_917, opened, mostUnread },
        prepared: [{ text: plain, executions, rowsSent: executions - 17 }],
      },
      { attempted: 10_000, correct: 10_000, refused: 100 },
      { expected: 9_917, writes: false, statementProblem, ...answers },
    ).problems;
  const gone = (some: string) => [
    `of ${some} of 9,917 executions is gone, expected it to stay until the load has ended`,
  ];
  assertEquals(problemsWith(8_700, 16), undefined);
  assertEquals(problemsWith(8_700, 0), gone("1,217"));
  assertEquals(problemsWith(8_600, 16), gone("1,317"));
  // However often: no more than between two readings, or one in twenty.
  assertEquals(problemsWith(8_600, 1_600), gone("1,317"));
  assertEquals(problemsWith(9_517, 32, 200), undefined);
  assertEquals(problemsWith(9_517, 16, 200), gone("400"));
  assertEquals(problemsWith(9_317, 1_600, 200), gone("600"));
});

/**
 * Counts: does a request run one query, prepared on the server, and a refused one none? Takes a warm server with
 * correct answers; compares the database's counters before and after known requests.
 */
import type { Counters } from "../../database/counters.ts";
import {
  preparedBetween,
  type PreparedReading,
  type PreparedStatement,
} from "../../database/prepared_statements.ts";
import { formatInteger } from "../../lib/format_integer.ts";
import { sumOf } from "../../lib/sum.ts";
import type { Problem } from "../../results/result_schema.ts";
import { collapse, type Found } from "../checks.ts";
import { about, countTwice, isAbout, judgeExecutes, judgePrepares } from "../statements.ts";
import type { Client } from "./client.ts";
import { refusals } from "./forged_tokens.ts";
import type { User } from "./known_users.ts";
import { statementProblem } from "./statement.ts";

const requestCount = 200;
/** How often each wrong token is sent: more often than a pool's own statements are allowed. */
const refusedTimes = 2;

/** What the database tells of the server's account. */
export interface Readings {
  counters(): Promise<Counters>;
  /** Its prepared statements; none where accounts are not counted. */
  prepared(): Promise<PreparedReading>;
}

/** Counts the queries of requests one after the other, and looks at them. */
export async function verifyCounts(
  client: Client,
  { counters: read, prepared }: Readings,
  users: User[],
  poolMax: number,
  secret: string,
): Promise<Problem[]> {
  return await countTwice(async () => {
    const wrong = refusals(users[0]!.email, users[1]!.email, secret);
    const refusedCount = refusedTimes * wrong.length;
    const preparedBefore = await prepared();
    const asked = await countDuring(read, async () => {
      // A few users many times, so that a cache of rows shows.
      for (let index = 0; index < requestCount; index++) {
        await client.askFor(users[index % users.length]!.email);
      }
    });
    const statements = preparedBetween(preparedBefore, await prepared());
    const refused = await countDuring(read, async () => {
      for (let index = 0; index < refusedCount; index++) {
        const { sent, headers } = wrong[index % wrong.length]!;
        await client.ask(sent, headers);
      }
    });
    const sent = `${requestCount} requests with valid tokens, one after the other`;
    return collapse([
      judgeQuestions(sent, asked.questions) ?? judgeExecutes(sent, asked.executes, requestCount),
      judgePrepares(sent, asked.prepares, poolMax),
      judgeStatements(sent, statements),
      judgeRefused(refused.questions, refusedCount),
    ]);
  });
}

function judgeQuestions(sent: string, questions: number): Found {
  if (isAbout(questions, requestCount)) return undefined;
  return {
    check: "one query per request",
    sent,
    came: `the database counted ${formatInteger(questions)} statements (Questions)`,
    expected: about(requestCount),
  };
}

/** What a pool asks now and then is executed less often than once for each request, whatever its text is each time. */
function judgeStatements(sent: string, statements: PreparedStatement[]): Found {
  const others = statements.filter((statement) => statementProblem(statement) !== undefined);
  const problems = others.flatMap((statement) => statementProblem(statement) ?? []).slice(0, 3);
  if (sumOf(others, ({ executions }) => executions) < requestCount / 2) return undefined;
  return {
    check: "plain query of one record",
    sent,
    came: `prepared statements: ${problems.join("; ")}`,
    expected: "SELECT with every column of the record, of one user, and nothing in parentheses",
  };
}

function judgeRefused(questions: number, requests: number): Found {
  if (isAbout(questions, 0)) return undefined;
  return {
    check: "no query for a refused request",
    sent:
      `${requests} requests that must be refused, with and without a token, one after the other`,
    came: `the database counted ${formatInteger(questions)} statements (Questions)`,
    expected: about(0),
  };
}

async function countDuring(read: () => Promise<Counters>, work: () => Promise<void>) {
  const before = await read();
  await work();
  const after = await read();
  return {
    questions: after.questions - before.questions,
    executes: after.executes - before.executes,
    prepares: after.prepares - before.prepares,
  };
}

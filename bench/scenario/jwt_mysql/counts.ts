/**
 * Counts: does a request run one query, prepared on the server, and a refused one none? Takes a warm server with
 * correct answers; compares the database's counters before and after known requests.
 */
import type { Counters } from "../../database/counters.ts";
import { formatInteger } from "../../lib/format_integer.ts";
import type { Problem } from "../../results/result_schema.ts";
import { collapse, type Found } from "../checks.ts";
import { about, countTwice, isAbout, judgeExecutes, judgePrepares } from "../statements.ts";
import type { Client } from "./client.ts";
import type { User } from "./known_users.ts";

const requestCount = 200;
const refusedCount = 50;

/** Counts the queries of requests one after the other. */
export async function verifyCounts(
  client: Client,
  read: () => Promise<Counters>,
  users: User[],
  poolMax: number,
): Promise<Problem[]> {
  return await countTwice(async () => {
    const asked = await countDuring(read, async () => {
      // A few users many times, so that a cache of rows shows.
      for (let index = 0; index < requestCount; index++) {
        await client.askFor(users[index % users.length]!.email);
      }
    });
    const refused = await countDuring(read, async () => {
      for (let index = 0; index < refusedCount; index++) {
        await client.ask("GET / without a token", {});
      }
    });
    const sent = `${requestCount} requests with valid tokens, one after the other`;
    return collapse([
      judgeQuestions(sent, asked.questions) ?? judgeExecutes(sent, asked.executes, requestCount),
      judgePrepares(sent, asked.prepares, poolMax),
      judgeRefused(refused.questions),
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

function judgeRefused(questions: number): Found {
  if (isAbout(questions, 0)) return undefined;
  return {
    check: "no query for a refused request",
    sent: `${refusedCount} requests without a token, one after the other`,
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

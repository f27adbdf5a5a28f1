/**
 * Counts: does a request run one query, prepared on the server, and a refused one none? Takes a warm server with
 * correct answers; compares the database's counters before and after known requests.
 */
import type { Counters } from "../../database/counters.ts";
import type { Problem } from "../../results/result_schema.ts";
import type { Client } from "./client.ts";
import type { User } from "./known_users.ts";

const requestCount = 200;
const refusedCount = 50;
/** Allowance for the pool: replacing a connection takes a few statements. */
const allowedStatements = 4;

/** Counts the queries of requests one after the other, once more if the first count was disturbed. */
export async function verifyCounts(
  client: Client,
  read: () => Promise<Counters>,
  users: User[],
  poolMax: number,
): Promise<Problem[]> {
  const first = await countOnce(client, read, users, poolMax);
  return first.length === 0 ? first : await countOnce(client, read, users, poolMax);
}

async function countOnce(
  client: Client,
  read: () => Promise<Counters>,
  users: User[],
  poolMax: number,
): Promise<Problem[]> {
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
  const about = (count: number) => `${count} to ${count + allowedStatements}`;
  const problems: Problem[] = [];
  if (!isAbout(asked.questions, requestCount)) {
    problems.push({
      check: "one query per request",
      sent,
      came: `the database counted ${asked.questions} statements (Questions)`,
      expected: about(requestCount),
    });
  } else if (asked.executes < requestCount) {
    problems.push({
      check: "server-side prepared statements",
      sent,
      came: `the database counted ${asked.executes} executions (Com_stmt_execute)`,
      expected: about(requestCount),
    });
  }
  // Each connection of the pool prepares the statement once, when it first uses it.
  if (asked.prepares > poolMax) {
    problems.push({
      check: "statements prepared once per connection",
      sent,
      came: `the database counted ${asked.prepares} preparations (Com_stmt_prepare)`,
      expected: `at most ${poolMax}`,
    });
  }
  if (!isAbout(refused.questions, 0)) {
    problems.push({
      check: "no query for a refused request",
      sent: `${refusedCount} requests without a token, one after the other`,
      came: `the database counted ${refused.questions} statements (Questions)`,
      expected: about(0),
    });
  }
  return problems;
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

function isAbout(count: number, wanted: number): boolean {
  return count >= wanted && count <= wanted + allowedStatements;
}

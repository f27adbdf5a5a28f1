/**
 * The scenario `jwt-mysql`: `GET /` with a JWT; its email is looked up in the table `users`, and the row is the
 * answer. The files beside this one check the contract.
 */
import { join } from "@std/path";
import { overConnection } from "../../database/connection.ts";
import type { Database } from "../../database/database.ts";
import { createRecordHistory } from "../record_history.ts";
import type {
  Answers,
  Means,
  PreparedScenario,
  Probe,
  RequestFile,
  Scenario,
} from "../scenario.ts";
import { verifyOutage } from "../outage.ts";
import { writeLines } from "../write_lines.ts";
import { verifyAnswers } from "./answers.ts";
import { createRowChanger } from "./changes.ts";
import { createClient, describeRequest } from "./client.ts";
import { contract } from "./contract.ts";
import { claimsFor, makeToken, nowSeconds } from "./forged_tokens.ts";
import { bodyOf, readUsers, type User, type Users } from "./known_users.ts";
import { judgeAnswers } from "./judge.ts";
import { requestLines } from "./request_file.ts";
import { chooseOftenAsked, planRequests, type RequestPlan } from "./request_plan.ts";
import { readSeed, seed } from "./seed.ts";
import { statementProblem } from "./statement.ts";
import { findUnknownEmails } from "./unknown_emails.ts";

export const scenario: Scenario = { contract, data: { sql: readSeed, ensure: seed }, prepare };

/** How many rows are kept for comparing answers. */
const keptUsers = 1_000;

/** The most lines of a request file: about 150 MB. */
const mostLines = 500_000;

async function prepare({ database, secret, ...means }: Means): Promise<PreparedScenario> {
  if (database === undefined) throw new TypeError("jwt-mysql needs a database");
  const { random, folder, signal } = means;
  const users = await overConnection(
    database,
    (connection) => readUsers(connection, keptUsers, random),
  );
  const oftenAsked = chooseOftenAsked(users.emails.length, users.fixed, random);
  const history = createRecordHistory(users);
  const changer = createRowChanger({ database, users, history, oftenAsked, random });
  let written: WrittenRequests | undefined;
  let firstLine = 0;
  return {
    id: contract.id,
    path: "/",
    requestFile: async (lines) => {
      const enough = Math.min(lines, mostLines);
      if (
        written === undefined || written.file.lines < enough || isUsedUp(written.file, firstLine)
      ) {
        const path = join(folder, "requests.jsonl");
        const means = { database, users, oftenAsked, secret, random, path, signal };
        written = await writeRequests(enough, means);
      }
      firstLine = written.file.nextLine;
      return written.file;
    },
    startChanges: (options) => changer.start(options),
    judge: (answers, toleranceMs, side) => {
      if (written === undefined) throw new TypeError("No load can have run without requests");
      const wallClockMs = Date.now() - performance.now();
      const { plan, unknownEmails } = written;
      const { emails } = users;
      const context = { plan, emails, unknownEmails, history, toleranceMs, wallClockMs };
      const time = timeOf(answers);
      return {
        ...judgeAnswers(answers, context),
        rowLocks: changer.rowLocks(side, time),
        rowsStillSeconds: changer.stillSeconds(time),
      };
    },
    // A private server's data go with it.
    restore: database.provider === "DATABASE_URL" ? () => changer.restore() : undefined,
    database: {
      server: database,
      statementProblem,
      warm: async (connection) => {
        const values = "CONCAT_WS('', first, last, city, county)";
        await connection.query(`SELECT SUM(LENGTH(${values})) FROM users`);
      },
      verifyOutage: (target, outage, options) => {
        const client = createClient(target.url, secret, options.signal);
        return verifyOutage(target, outage, {
          ...{ what: "valid tokens", right: 200 },
          ask: async (index) => {
            const { email } = users.random[index]!;
            return { sent: describeRequest(email), reply: await client.askFor(email) };
          },
          check: (check, index) => client.checkUser(check, users.random[index]!),
        }, options);
      },
    },
    probe: async () => probeOf(await changer.changeAny(), secret),
    verifyAnswers: (target, options) =>
      overConnection(database, (connection) => {
        const knowledge = { users, secret, random, database, connection };
        return verifyAnswers(target, knowledge, options);
      }),
  };
}

/** Returns when the first request was sent, and the last answer received. */
function timeOf({ startMs, endMs }: Answers): { fromMs: number; toMs: number } {
  return {
    fromMs: startMs.reduce((first, ms) => Math.min(first, ms), Infinity),
    toMs: endMs.reduce((last, ms) => Math.max(last, ms), -Infinity),
  };
}

/**
 * Tells whether tokens may come again for the next process: all lines were read, or fewer are left than it may need, half as
 * many again as were read since `firstLine` by the one before.
 */
function isUsedUp(
  { lines, nextLine, isReadToEnd = false }: RequestFile,
  firstLine: number,
): boolean {
  return isReadToEnd || nextLine + 1.5 * (nextLine - firstLine) > lines;
}

/** The requests in a file, and what is known of each. */
interface WrittenRequests {
  file: RequestFile;
  plan: RequestPlan;
  unknownEmails: string[];
}

async function writeRequests(
  lines: number,
  { database, users, oftenAsked, secret, random, path, signal }: {
    database: Pick<Database, "connect">;
    users: Users;
    oftenAsked: readonly number[];
    secret: string;
    random: () => number;
    path: string;
    signal: AbortSignal;
  },
): Promise<WrittenRequests> {
  const { emails } = users;
  const unknownEmails = await overConnection(
    database,
    (connection) => findUnknownEmails(connection, emails, random),
  );
  const plan = planRequests({
    ...{ lines, oftenAsked, random },
    users: emails.length,
    unknownUsers: unknownEmails.length,
    nowSeconds: nowSeconds(),
  });
  await writeLines(path, requestLines(plan, { emails, unknownEmails, secret, random }), signal);
  return { file: { path, lines, nextLine: 0 }, plan, unknownEmails };
}

function probeOf(user: User, secret: string): Probe {
  const token = makeToken(claimsFor(user.email), { secret });
  return { path: "/", header: `authorization: Bearer ${token}`, body: bodyOf(user) };
}

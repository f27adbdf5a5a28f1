/**
 * The scenario `jwt-mysql`: `GET /` with a JWT; its email is looked up in the table `users`, the row is the
 * answer. What the contract demands, and why, is in this module and the files beside it of the same prefix.
 */
import type { Database } from "../../database/database.ts";
import { orRunBroken } from "../../database/connection.ts";
import { BenchError } from "../../lib/error.ts";
import type { PreparedScenario, Probe } from "../scenario.ts";
import { verifyAnswers } from "./answers.ts";
import { verifyOutage } from "./outage.ts";
import { startSideClient } from "./side_client.ts";
import { claimsFor, makeToken } from "./forged_tokens.ts";
import { bodyOf, readUsers, type Users } from "./known_users.ts";

/** Options for {@linkcode prepareJwtMysql}. */
export interface PrepareOptions {
  database: Pick<Database, "connect" | "address">;
  /** What the subject is given as `JWT_SECRET`. */
  secret: string;
  random: () => number;
}

/** How many rows are kept to compare answers with. */
const keptUsers = 1_000;

/**
 * Reads the table and prepares the scenario for it.
 *
 * @throws {BenchError} when the table is not that of the scenario.
 */
export async function prepareJwtMysql(options: PrepareOptions): Promise<PreparedScenario> {
  const { database, secret, random } = options;
  const users = await orRunBroken(async () => {
    await using connection = await database.connect();
    return await readUsers(connection, keptUsers, random);
  });
  return {
    id: "jwt-mysql",
    path: "/",
    rightLengths: users.lengths,
    probe: () => probeOf(users, secret),
    verifyAnswers: (target, checkOptions) =>
      orRunBroken(async () => {
        await using connection = await database.connect();
        const knowledge = { users, secret, random, account: database.address.user, connection };
        return await verifyAnswers(target, knowledge, checkOptions);
      }),
    verifyOutage: (target, outage, checkOptions) =>
      verifyOutage(target, outage, users, secret, checkOptions),
    startSideClient: async (target, { signal }) => {
      const connection = await database.connect();
      return startSideClient(target, { users, secret, random, connection, signal });
    },
  };
}

function probeOf({ random: [user] }: Users, secret: string): Probe {
  if (user === undefined) {
    throw new BenchError('Cannot use table "users": it has too few rows, expected 100,000');
  }
  const token = makeToken(claimsFor(user.email), { secret });
  return { path: "/", header: `authorization: Bearer ${token}`, body: bodyOf(user) };
}

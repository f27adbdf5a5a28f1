/**
 * The scenario `jwt-mysql`: `GET /` with a JWT; its email is looked up in the table `users`, and the row is the
 * answer. The files beside this one check the contract.
 */
import { orRunBroken } from "../../database/connection.ts";
import { BenchError } from "../../lib/error.ts";
import type { Means, PreparedScenario, Probe, Scenario } from "../scenario.ts";
import { verifyAnswers } from "./answers.ts";
import { contract } from "./contract.ts";
import { claimsFor, makeToken } from "./forged_tokens.ts";
import { bodyOf, readUsers, type Users } from "./known_users.ts";
import { verifyOutage } from "./outage.ts";
import { readSeed, seed } from "./seed.ts";
import { startSideClient } from "./side_client.ts";
import { makeTokens } from "./tokens.ts";

export const scenario: Scenario = { contract, data: { sql: readSeed, ensure: seed }, prepare };

/** How many rows are kept for comparing answers. */
const keptUsers = 1_000;

async function prepare({ database, secret, ...means }: Means): Promise<PreparedScenario> {
  if (database === undefined) throw new TypeError("jwt-mysql needs a database");
  const { random, folder, signal } = means;
  const { headerLinesPath } = await makeTokens(database, { secret, folder, signal });
  const users = await orRunBroken(async () => {
    await using connection = await database.connect();
    return await readUsers(connection, keptUsers, random);
  });
  return {
    id: contract.id,
    load: { path: "/", headerLinesPath },
    rightLengths: users.lengths,
    database: {
      server: database,
      queriesPerRequest: 1,
      warm: async (connection) => {
        const values = "CONCAT_WS('', first, last, city, county)";
        await connection.query(`SELECT SUM(LENGTH(${values})) FROM users`);
      },
      verifyOutage: (target, outage, options) =>
        verifyOutage(target, outage, users, secret, options),
    },
    probe: () => probeOf(users, secret),
    verifyAnswers: (target, options) =>
      orRunBroken(async () => {
        await using connection = await database.connect();
        const knowledge = { users, secret, random, account: database.address.user, connection };
        return await verifyAnswers(target, knowledge, options);
      }),
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

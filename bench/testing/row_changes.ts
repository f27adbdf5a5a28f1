/** What tests of changing rows start from: the seeded table, its users, and nothing changed yet. */
import type { Connection } from "mysql2/promise";
import type { Database } from "../database/database.ts";
import { createRandom } from "../lib/random.ts";
import { readUsers } from "../scenario/jwt_mysql/known_users.ts";
import { chooseOftenAsked } from "../scenario/jwt_mysql/request_plan.ts";
import { seed } from "../scenario/jwt_mysql/seed.ts";
import { createRecordHistory } from "../scenario/record_history.ts";

/** Seeds the table; `options` are those of a changer besides its database. */
export async function prepareRowChanges(database: Database, connection: Connection) {
  const facts = await seed(database, { signal: new AbortController().signal });
  const random = createRandom(1);
  const users = await readUsers(connection, 1_000, random);
  const oftenAsked = chooseOftenAsked(users.emails.length, users.fixed, random);
  return { facts, options: { users, history: createRecordHistory(users), oftenAsked, random } };
}

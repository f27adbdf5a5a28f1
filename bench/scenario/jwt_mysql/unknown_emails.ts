/** Unknown emails: which emails look like those of users, but have no row? */
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { queryRows } from "../../database/query_rows.ts";
import { BenchError } from "../../lib/error.ts";
import { sample } from "../../lib/random.ts";

const wantedEmails = 1_000;
const emailsPerQuery = 100;

const countSchema = z.tuple([z.coerce.number()]);

/**
 * Returns up to a thousand different emails that no row has.
 *
 * @throws {BenchError} when none is found.
 */
export async function findUnknownEmails(
  connection: Connection,
  emails: readonly string[],
  random: () => number,
): Promise<string[]> {
  const known = new Set(emails);
  const altered = sample(emails, wantedEmails, random)
    .map((email) => alter(email, emails[Math.floor(random() * emails.length)]!, random));
  const candidates = [...new Set(altered)].filter((email) => !known.has(email));
  const unknown: string[] = [];
  while (candidates.length > 0) {
    const some = candidates.splice(0, emailsPerQuery);
    // By the table's collation, emails that differ may be equal.
    const sql = "SELECT COUNT(*) FROM users WHERE email IN (?)";
    const [row] = await queryRows(connection, countSchema, sql, [some]);
    if (row![0] === 0) unknown.push(...some);
  }
  if (unknown.length > 0) return unknown;
  throw new BenchError('Cannot find emails that "users" does not have: it has all that were tried');
}

/** Changes the digits of an email; one without digits gets another's domain. */
function alter(email: string, other: string, random: () => number): string {
  if (!/\d/.test(email)) return email.replace(/@.*/, () => other.slice(other.indexOf("@")));
  return email.replaceAll(/\d/g, () => `${Math.floor(random() * 10)}`);
}

import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { BenchError } from "../../lib/error.ts";
import { shuffle } from "../../lib/random.ts";
import { userBatches, userColumns, type UserRow } from "./user_rows.ts";

/** A row of the table, its keys in the order of the answer. */
export interface User {
  email: string;
  first: string | null;
  last: string | null;
  city: string | null;
  county: string | null;
  age: number | null;
}

/** What the harness knows about the table. */
export interface Users {
  /** The lengths of all correct bodies, in bytes. */
  lengths: ReadonlySet<number>;
  /** Special rows, each of which is always checked. */
  special: { kind: string; user: User }[];
  /** Random rows. */
  random: User[];
  /** A row that the harness may change; in no other list. */
  canary: User & { age: number };
}

const encoder = new TextEncoder();

/** Returns the bytes of the correct answer for a user. */
export function bodyOf(user: User): Uint8Array {
  const { email, first, last, city, county, age } = user;
  return encoder.encode(JSON.stringify({ email, first, last, city, county, age }));
}

/**
 * Reads the whole table once and keeps `count` random rows of it.
 *
 * @throws {BenchError} when a row does not fit the contract, or none can be the canary.
 */
export async function readUsers(
  connection: Connection,
  count: number,
  random: () => number,
): Promise<Users> {
  const lengths = new Set<number>();
  const special = new Map<string, User>();
  const kept: User[] = [];
  let longest = 0;
  let shortest = Infinity;
  let seen = 0;
  for await (const rows of userBatches(connection, userColumns)) {
    for (const user of rows.map(parseUser)) {
      const text = JSON.stringify(user);
      const { length } = bodyOf(user);
      lengths.add(length);
      if (length > longest) special.set("user with the longest record", user);
      if (length < shortest) special.set("user with the shortest record", user);
      longest = Math.max(longest, length);
      shortest = Math.min(shortest, length);
      if (Object.values(user).includes(null)) special.set("user with NULL", user);
      if (text.includes("'")) special.set("user with an apostrophe", user);
      if (/[^ -~]/.test(text)) special.set("user with non-ASCII letters", user);

      // Reservoir sampling (Vitter's algorithm R): every row is kept with the same probability.
      seen++;
      const place = kept.length <= count ? kept.length : Math.floor(random() * seen);
      if (place <= count) kept[place] = user;
    }
  }
  const specialUsers = [...special.values()];
  const canary = kept.filter(canBeCanary).find((user) => !specialUsers.includes(user));
  if (canary === undefined) {
    throw new BenchError(
      'Cannot choose a row of "users" to change: none has an age from 10 to 98, ' +
        "expected at least one",
    );
  }
  return {
    lengths,
    special: [...special].map(([kind, user]) => ({ kind, user })),
    random: shuffle(kept.filter((user) => user !== canary), random),
    canary,
  };
}

/** Changing the age must not change the length of the body, because the load may request this row, too. */
function canBeCanary(user: User): user is User & { age: number } {
  return user.age !== null && user.age >= 10 && user.age <= 98;
}

const text = z.string().nullable();
const rowSchema = z.tuple([z.string(), text, text, text, text, z.int().nullable()]);

function parseUser(row: UserRow): User {
  const { success, data } = rowSchema.safeParse(row);
  if (!success) {
    throw new BenchError(
      `Cannot read a row of "users": it is ${JSON.stringify(row)}, ` +
        "expected email, first, last, city and county as text and age as an integer",
    );
  }
  const [email, first, last, city, county, age] = data;
  return { email, first, last, city, county, age };
}

import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { BenchError } from "../../lib/error.ts";
import { shuffle } from "../../lib/random.ts";
import { type BodyDigest, bodyDigest } from "../body_digest.ts";
import { seedRows, userBatches, type UserRow } from "./user_rows.ts";

/** A row of the table, its keys in the order of the answer. */
export interface User {
  email: string;
  first: string | null;
  last: string | null;
  city: string | null;
  county: string | null;
  age: number | null;
}

/** What the harness knows about the table. The place of a user in the columns is the user's number. */
export interface Users {
  emails: string[];
  /** CRC-32 of each user's correct body. */
  crc32s: Uint32Array;
  /** Length of each user's correct body, in bytes. */
  lengths: Uint32Array;
  /** The numbers of the users in the lists below: their rows stay as they are while other rows change. */
  fixed: ReadonlySet<number>;
  /** Special rows, each of which is always checked. */
  special: { check: string; user: User }[];
  /** Random rows. */
  random: User[];
  /** A row that the checks of the contract change and restore; in no other list. */
  canary: User;
}

const encoder = new TextEncoder();

/** Returns the bytes of the correct answer for a user. */
export function bodyOf(user: User): Uint8Array {
  const { email, first, last, city, county, age } = user;
  return encoder.encode(JSON.stringify({ email, first, last, city, county, age }));
}

/** Returns what is known of the correct answer for a user. */
export function digestOf(user: User): BodyDigest {
  return bodyDigest(bodyOf(user));
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
  const emails: string[] = [];
  const crc32s = new Uint32Array(seedRows);
  const lengths = new Uint32Array(seedRows);
  const special = new Map<string, User>();
  const kept: User[] = [];
  let longest = 0;
  let shortest = Infinity;
  for await (const rows of userBatches(connection)) {
    for (const user of rows.map(parseUser)) {
      const text = JSON.stringify(user);
      const digest = digestOf(user);
      crc32s[emails.length] = digest.crc32;
      lengths[emails.length] = digest.bytes;
      emails.push(user.email);
      if (digest.bytes > longest) special.set("user with the longest record", user);
      if (digest.bytes < shortest) special.set("user with the shortest record", user);
      longest = Math.max(longest, digest.bytes);
      shortest = Math.min(shortest, digest.bytes);
      if (Object.values(user).includes(null)) special.set("user with NULL", user);
      if (text.includes("'")) special.set("user with an apostrophe", user);
      if (/[^ -~]/.test(text)) special.set("user with non-ASCII letters", user);
      if (/[\u{10000}-\u{10FFFF}]/u.test(text)) {
        special.set("user with a letter of four bytes in UTF-8", user);
      }

      // Reservoir sampling (Vitter's algorithm R): every row is kept with the same probability.
      const place = kept.length <= count ? kept.length : Math.floor(random() * emails.length);
      if (place <= count) kept[place] = user;
    }
  }
  const specialUsers = [...special.values()];
  const canary = kept.find((user) => !specialUsers.includes(user));
  if (canary === undefined) {
    throw new BenchError(
      'Cannot choose a row of "users" to change: it has too few rows, expected 100,000',
    );
  }
  const numbers = new Map(emails.map((email, number) => [email, number]));
  return {
    emails,
    crc32s: crc32s.slice(0, emails.length),
    lengths: lengths.slice(0, emails.length),
    fixed: new Set([...specialUsers, ...kept].map(({ email }) => numbers.get(email)!)),
    special: [...special].map(([check, user]) => ({ check, user })),
    random: shuffle(kept.filter((user) => user !== canary), random),
    canary,
  };
}

const text = z.string().nullable();
const rowSchema = z.tuple([z.string(), text, text, text, text, z.int().nullable()]);

/**
 * Parses a row with the columns {@linkcode userColumns}.
 *
 * @throws {BenchError} when it does not fit the contract.
 */
export function parseUser(row: UserRow): User {
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

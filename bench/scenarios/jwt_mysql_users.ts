import type { Connection } from "mysql2/promise";
import { BenchError } from "../error.ts";
import { sample } from "../random.ts";

/** A row of the table, its keys in the order of the answer. */
export interface User {
  email: string;
  first: string | null;
  last: string | null;
  city: string | null;
  county: string | null;
  age: number | null;
}

/** What is known of the table. */
export interface Users {
  /** In bytes: the lengths of all right bodies. */
  lengths: ReadonlySet<number>;
  /** Rows that are special in some way, so that each of them is always asked. */
  special: { kind: string; user: User }[];
  /** Rows at random. */
  random: User[];
  /** A row that the harness may change; not among the others. */
  canary: User & { age: number };
}

const encoder = new TextEncoder();

/** Returns the bytes that are the right answer for a user. */
export function bodyOf(user: User): Uint8Array {
  const { email, first, last, city, county, age } = user;
  return encoder.encode(JSON.stringify({ email, first, last, city, county, age }));
}

/**
 * Reads the whole table once and keeps `count` random rows of it.
 *
 * @throws {BenchError} when the table has other columns or types, or too few rows to choose from.
 */
export async function readUsers(
  connection: Connection,
  count: number,
  random: () => number,
): Promise<Users> {
  const [rows] = await connection.query({
    sql: "SELECT email, first, last, city, county, age FROM users ORDER BY email",
    rowsAsArray: true,
  });
  if (!Array.isArray(rows)) throw new BenchError(`Cannot read "users": it gave no rows`);
  const users = rows.map(parseUser);
  const lengthOf = new Map(users.map((user) => [user.email, bodyOf(user).length]));
  const canary = sample(users.filter(canBeCanary), 1, random)[0];
  if (canary === undefined) {
    throw new BenchError(
      `Cannot choose a user to change in "users": no row has an age from 10 to 98, ` +
        "expected at least one",
    );
  }
  const others = users.filter((user) => user !== canary);
  const byLength = (user: User) => lengthOf.get(user.email)!;
  const candidates: [string, User | undefined][] = [
    ["user with NULL", others.find((user) => Object.values(user).includes(null))],
    ["user with an apostrophe", others.find((user) => JSON.stringify(user).includes("'"))],
    ["user with non-ASCII letters", others.find((user) => /[^ -~]/.test(JSON.stringify(user)))],
    ["user with the longest record", others.toSorted((a, b) => byLength(b) - byLength(a))[0]],
    ["user with the shortest record", others.toSorted((a, b) => byLength(a) - byLength(b))[0]],
  ];
  return {
    lengths: new Set(lengthOf.values()),
    special: candidates.flatMap(([kind, user]) => user === undefined ? [] : [{ kind, user }]),
    random: sample(others, count, random),
    canary,
  };
}

/** A change of the age must not change the length of the body: the load may ask for this row too. */
function canBeCanary(user: User): user is User & { age: number } {
  return user.age !== null && user.age >= 10 && user.age <= 98;
}

function parseUser(row: unknown): User {
  const [email, first, last, city, county, age] = Array.isArray(row) ? row : [];
  const isText = (value: unknown) => value === null || typeof value === "string";
  if (
    typeof email !== "string" || ![first, last, city, county].every(isText) ||
    !(age === null || Number.isInteger(age))
  ) {
    throw new BenchError(
      `Cannot read a row of "users": it is ${JSON.stringify(row)}, ` +
        "expected email, first, last, city and county as text and age as an integer",
    );
  }
  return { email, first, last, city, county, age };
}

import type { Connection } from "mysql2/promise";
import type { User } from "./known_users.ts";

/** A row that the harness changes; disposing of this restores it. */
export interface Canary extends AsyncDisposable {
  /** How many statements have changed the row. */
  readonly statements: number;
  /** The current row. */
  readonly current: User;
  /** Changes the row's age to one with as many digits, and returns the new row. */
  change(): Promise<User>;
}

/** Returns the canary of a table, with its row unchanged. */
export function createCanary(connection: Connection, original: User & { age: number }): Canary {
  let statements = 0;
  let age = original.age;
  const write = async (next: number) => {
    statements++;
    await connection.query("UPDATE users SET age = ? WHERE email = ?", [next, original.email]);
    age = next;
  };
  return {
    get statements() {
      return statements;
    },
    get current() {
      return { ...original, age };
    },
    change: async () => {
      await write(age === original.age ? age + 1 : original.age);
      return { ...original, age };
    },
    [Symbol.asyncDispose]: async () => {
      if (age !== original.age) await write(original.age);
    },
  };
}

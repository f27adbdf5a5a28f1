import type { Connection } from "mysql2/promise";
import type { User } from "./known_users.ts";

/** A row that the harness changes; disposing of this restores it. */
export interface Canary extends AsyncDisposable {
  /** Writes columns of the row, and returns the new row. */
  write(columns: Partial<Omit<User, "email">>): Promise<User>;
}

/** Returns the canary of a table, with its row unchanged. */
export function createCanary(connection: Connection, original: User): Canary {
  let current = original;
  const write: Canary["write"] = async (columns) => {
    await connection.query("UPDATE users SET ? WHERE email = ?", [columns, original.email]);
    return current = { ...current, ...columns };
  };
  return {
    write,
    [Symbol.asyncDispose]: async () => {
      const { email: _email, ...columns } = original;
      if (JSON.stringify(current) !== JSON.stringify(original)) await write(columns);
    },
  };
}

/** Returns another value of a column, of the column's type, also where the value is NULL. */
export function otherValue(column: string, value: string | number | null): string | number {
  return column === "age" ? Number(value ?? 0) + 1 : `New ${value ?? column}`;
}

import type { Problem } from "../../results/result_schema.ts";
import { RunBroken } from "../../lib/error.ts";
import type { User } from "./known_users.ts";
import { changeRow, type ChangeRowOptions, type RowLock } from "./row_locks.ts";

/** A row that the harness changes; disposing of this restores it. */
export interface Canary extends AsyncDisposable {
  /**
   * Writes columns of the row, and returns the new row.
   *
   * @throws {RowLocked} when that waited for a lock of the server's.
   */
  write(columns: Partial<Omit<User, "email">>): Promise<User>;
}

/** The server locked the row, which it is only to read. */
export class RowLocked extends Error {
  /** The problem to report. */
  readonly problem: Problem = {
    check: "row just changed",
    sent: "an UPDATE of a row by another program",
    came: "it waited for a lock of the server's",
    expected: "none: the server only reads",
  };
}

/** For how long a lock is waited for as the row is changed, longer than for one that nobody explains; as it is restored. */
const [changeMs, restoreMs] = [4_000, 30_000];

/** Returns the canary of a table, with its row unchanged. */
export function createCanary(
  original: User,
  means: Pick<ChangeRowOptions, "connection" | "asking" | "accounts">,
): Canary {
  const { email, ...columns } = original;
  let current = original;
  const locks: RowLock[] = [];
  const tryToWrite = async (columns: Partial<User>, forMs: number) => {
    const change = () =>
      means.connection.query("UPDATE users SET ? WHERE email = ?", [columns, email]);
    const stop = AbortSignal.timeout(forMs);
    const isChanged = await changeRow(change, { ...means, locks, row: email, stop });
    if (isChanged) current = { ...current, ...columns };
    return isChanged;
  };
  return {
    write: async (columns) => {
      await tryToWrite(columns, changeMs);
      if (locks.length > 0) throw new RowLocked();
      return current;
    },
    [Symbol.asyncDispose]: async () => {
      if (JSON.stringify(current) === JSON.stringify(original)) return;
      if (await tryToWrite(columns, restoreMs)) return;
      throw new RunBroken(
        `Cannot restore the row of "${email}": the server locks it, expected no lock within 30 s`,
      );
    },
  };
}

/** Returns another value of a column, of the column's type, also where the value is NULL. */
export function otherValue(column: string, value: string | number | null): string | number {
  return column === "age" ? Number(value ?? 0) + 1 : `New ${value ?? column}`;
}

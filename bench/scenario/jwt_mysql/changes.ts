/**
 * Changes: other programs write to the table while a server reads it. Changes rows at random, over a connection of the
 * harness's own, and records when each change was sent and acknowledged, so that every answer can be judged.
 */
import type { Connection, ResultSetHeader } from "mysql2/promise";
import { overConnection } from "../../database/connection.ts";
import type { Database, SideName } from "../../database/database.ts";
import { RunBroken } from "../../lib/error.ts";
import type { RecordHistory, Version } from "../record_history.ts";
import { atRandomMoments, startWork } from "../while_loads.ts";
import { digestOf, parseUser, type User, type Users } from "./known_users.ts";
import {
  changeRow,
  type ChangeRowOptions,
  countLocks,
  limitLockWaits,
  type RowLock,
} from "./row_locks.ts";
import { readUserRow, userColumns } from "./user_rows.ts";

/** Changes rows, and restores them. */
export interface RowChanger {
  /**
   * Changes rows until it is disposed of; versions from before are forgotten but for the last of each row, so answers are
   * judged before this is called again.
   */
  start(options: { signal: AbortSignal }): Promise<AsyncDisposable>;
  /**
   * Counts the changes since the start that waited for a lock of a side's at some time from `fromMs` to `toMs`, in
   * milliseconds of `performance.now()`.
   */
  rowLocks(side: SideName, time: { fromMs: number; toMs: number }): number;
  /**
   * Returns the longest time, in seconds, in which no row changed from `fromMs` to `toMs`; undefined where changes began later,
   * or not at all.
   */
  stillSeconds(time: { fromMs: number; toMs: number }): number | undefined;
  /** Changes the row of any user whom loads may ask for, and returns it as it is from then on. No load may run. */
  changeAny(): Promise<User>;
  /** Restores each row that was changed. */
  restore(): Promise<void>;
}

/** Options for {@linkcode createRowChanger}. */
export interface RowChangerOptions {
  database: Pick<Database, "connect" | "accounts">;
  users: Users;
  history: RecordHistory;
  /** The numbers of the users that loads ask for often: half of the changes are theirs. */
  oftenAsked: readonly number[];
  random: () => number;
}

type Column = Exclude<keyof User, "email">;

/** A row that was changed. */
interface ChangedRow {
  original: User;
  current: User;
}

const changedColumns = userColumns.filter((column) => column !== "email");
/** Changes become due at random, after this time on average. */
const meanIntervalMs = 20;
const nullShare = 0.2;
const rowsPerTransaction = 1_000;

/** Returns a changer that has changed nothing yet. */
export function createRowChanger(options: RowChangerOptions): RowChanger {
  const { database, history } = options;
  const { accounts } = database;
  const rows = new Map<number, ChangedRow>();
  const locks: RowLock[] = [];
  /** When changes began, and when each was acknowledged. */
  const moments: number[] = [];
  return {
    start: async ({ signal }) => {
      await using stack = new AsyncDisposableStack();
      const asking = stack.adopt(await database.connect(), (it) => it.destroy());
      stack.use(
        await startWork(database, {
          begin: limitLockWaits,
          run: (connection, stop) => {
            history.forgetPast();
            locks.splice(0);
            moments.splice(0, moments.length, performance.now());
            const means = { ...options, connection, asking, accounts, rows, locks, stop };
            const { random } = options;
            const act = async () => {
              if (await changeOne(means, chooseUser(options)) !== undefined) {
                moments.push(performance.now());
              }
            };
            return atRandomMoments(act, { meanIntervalMs, random, stop });
          },
        }, { signal }),
      );
      return stack.move();
    },
    rowLocks: (side, time) => countLocks(locks, side, time),
    stillSeconds: (time) => longestGap(moments, time),
    changeAny: () =>
      overConnection(database, async (connection) => {
        // No server is up whose lock could be in the way: nobody has to be asked for it.
        const stop = new AbortController().signal;
        const means = { ...options, connection, asking: connection, accounts, rows, stop };
        for (;;) {
          const row = await changeOne({ ...means, locks: [] }, chooseAny(options));
          if (row !== undefined) return row;
        }
      }),
    restore: async () => {
      if (rows.size === 0) return;
      await overConnection(database, async (connection) => {
        const changed = [...rows];
        while (changed.length > 0) {
          await connection.beginTransaction();
          for (
            const [, { original: { email, ...values } }] of changed.splice(0, rowsPerTransaction)
          ) {
            await update(connection, email, values);
          }
          await connection.commit();
        }
        rows.clear();
        history.reset();
      });
    },
  };
}

/** Returns the longest time between ascending moments within a time, in seconds; undefined where the first comes after its begin. */
export function longestGap(
  moments: readonly number[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): number | undefined {
  const [first = Infinity] = moments;
  if (first > fromMs) return undefined;
  const within = [fromMs, ...moments.filter((ms) => ms > fromMs && ms < toMs), toMs];
  return within.reduce((most, ms, index) => Math.max(most, ms - (within[index - 1] ?? ms)), 0) /
    1000;
}

interface Work extends RowChangerOptions, Omit<ChangeRowOptions, "row"> {
  rows: Map<number, ChangedRow>;
}

/** Changes the row of a user, and returns it as it is then; undefined where it was not changed. */
async function changeOne(work: Work, user: number): Promise<User | undefined> {
  const { users, history, connection, rows } = work;
  let row = rows.get(user);
  if (row === undefined) {
    const original = await readRow(connection, users, user);
    row = { original, current: original };
  }
  const change = chooseChange(row.current, work);
  if (change === undefined) return undefined;
  const { column, value } = change;
  const before = row.current;
  row.current = { ...before, [column]: value };
  rows.set(user, row);
  const version: Version = {
    ...digestOf(row.current),
    column,
    sentMs: performance.now(),
    acknowledgedMs: Infinity,
  };
  history.add(user, version);
  const email = users.emails[user]!;
  const isChanged = await changeRow(async () => {
    await update(connection, email, { [column]: value });
    version.acknowledgedMs = performance.now();
  }, { ...work, row: email });
  if (isChanged) return row.current;
  history.withdraw(user);
  row.current = before;
  return undefined;
}

function chooseUser(options: RowChangerOptions): number {
  const { oftenAsked, random } = options;
  if (random() < 0.5) return oftenAsked[Math.floor(random() * oftenAsked.length)]!;
  return chooseAny(options);
}

function chooseAny({ users, random }: RowChangerOptions): number {
  for (;;) {
    const user = Math.floor(random() * users.emails.length);
    if (!users.fixed.has(user)) return user;
  }
}

/** Chooses a column and another value of it: NULL, or what another user has; undefined where no other is found. */
function chooseChange(
  row: User,
  { users, random }: Work,
): { column: Column; value: User[Column] } | undefined {
  const column = changedColumns[Math.floor(random() * changedColumns.length)]!;
  const now = row[column];
  if (now !== null && random() < nullShare) return { column, value: null };
  for (let attempt = 0; attempt < 100; attempt++) {
    const value = users.random[Math.floor(random() * users.random.length)]![column];
    if (value !== null && value !== now) return { column, value };
  }
  return undefined;
}

/** @throws {RunBroken} when the row is not as it was: then nobody could say what is right. */
async function readRow(connection: Connection, users: Users, user: number): Promise<User> {
  const email = users.emails[user]!;
  const found = await readUserRow(connection, email);
  const row = found && parseUser(found);
  if (row !== undefined && isOriginal(users, user, row)) return row;
  throw new RunBroken(
    `Cannot change the row of "${email}": it is ${
      JSON.stringify(row) ?? "gone"
    }, expected it as it was before`,
    { help: "Another program writes to the table. No other may during a measurement." },
  );
}

function isOriginal(users: Users, user: number, row: User): boolean {
  const { crc32, bytes } = digestOf(row);
  return crc32 === users.crc32s[user] && bytes === users.lengths[user];
}

async function update(
  connection: Connection,
  email: string,
  values: Partial<User>,
): Promise<void> {
  const columns = Object.keys(values).map((column) => `${column} = ?`).join(", ");
  const [{ affectedRows }] = await connection.query<ResultSetHeader>(
    `UPDATE users SET ${columns} WHERE email = ?`,
    [...Object.values(values), email],
  );
  if (affectedRows === 1) return;
  throw new RunBroken(
    `Cannot change the row of "${email}": ${affectedRows} rows have that email, expected 1`,
    { help: "Another program writes to the table. No other may during a measurement." },
  );
}

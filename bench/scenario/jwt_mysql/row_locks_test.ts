import { assertEquals, assertRejects } from "@std/assert";
import type { Connection } from "mysql2/promise";
import { RunBroken } from "../../lib/error.ts";
import { changeRow, countLocks, type RowLock } from "./row_locks.ts";

const [lockWaitTimeout, deadlock, other] = [1205, 1213, 1064].map((errno) =>
  Object.assign(new Error(`error ${errno}`), { errno })
);

/** Fails so often to change a row, and returns whether it was changed; nobody is asked who locks it, so soon. */
function changeAfter(failures: number, error: Error | undefined, stop = new AbortController()) {
  const connection = {} as Connection;
  const account = { host: "", port: 0, user: "", password: "", name: "" };
  const change = () => failures-- > 0 ? Promise.reject(error) : Promise.resolve();
  return changeRow(change, {
    ...{ connection, asking: connection, locks: [], row: "a@example.com", stop: stop.signal },
    accounts: { subject: account, reference: account },
  });
}

Deno.test("changeRow() tries again after each deadlock, and after two waits that nobody explains", async () => {
  assertEquals(await changeAfter(0, undefined), true);
  assertEquals(await changeAfter(20, deadlock), true);
  assertEquals(await changeAfter(2, lockWaitTimeout), true);
  await assertRejects(
    () => changeAfter(3, lockWaitTimeout),
    RunBroken,
    'Cannot change the row of "a@example.com": it stays locked, expected no lock',
  );
  await assertRejects(() => changeAfter(1, other), Error, "error 1064");
});

Deno.test("changeRow() gives up where it is to stop and a lock is in the way", async () => {
  const stopped = new AbortController();
  stopped.abort();
  assertEquals(await changeAfter(0, undefined, stopped), true);
  assertEquals(await changeAfter(1, deadlock, stopped), false);
  assertEquals(await changeAfter(1, lockWaitTimeout, stopped), false);
});

Deno.test("countLocks() counts what a side locked at some time of a load, also before and after it", () => {
  const lock = (fromMs: number, untilMs: number, side: RowLock["side"] = "subject") => ({
    side,
    fromMs,
    untilMs,
  });
  const load = { fromMs: 100, toMs: 200 };
  const locks = [lock(0, 99), lock(0, 100), lock(120, 130), lock(50, Infinity), lock(201, 300)];
  assertEquals(countLocks(locks, "subject", load), 3);
  assertEquals(countLocks(locks, "reference", load), 0);
  assertEquals(countLocks([lock(50, 150, "reference")], "reference", load), 1);
  assertEquals(countLocks(locks, "subject", { fromMs: Infinity, toMs: -Infinity }), 0);
});

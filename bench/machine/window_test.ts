import { assertEquals } from "@std/assert";
import type { ProcessAccount } from "./proc.ts";
import { foreignSeconds, useBetween, usedBetween } from "./window.ts";

/** A process that started with its id; `startTicks` tells another with the same id. */
function accounts(
  ...processes: [pid: number, parent: number, seconds: number, startTicks?: number][]
): Map<number, ProcessAccount> {
  return new Map(
    processes.map(([pid, parent, seconds, startTicks = pid]) => [
      pid,
      { name: `process ${pid}`, parent, seconds, startTicks },
    ]),
  );
}

/** What others used, to hundredths. */
function others(
  before: Map<number, ProcessAccount>,
  after: Map<number, ProcessAccount>,
  ours: number[] = [],
): number {
  return Math.round(usedBetween(before, after, new Set(ours)).others * 100) / 100;
}

Deno.test("usedBetween() tells ours from others, and what was used before from what was used since", () => {
  const before = accounts([1, 0, 10], [2, 1, 100], [3, 1, 5]);
  // Process 2 ended after one more second; 1 has waited for it, and used a quarter of a second itself.
  const after = accounts([1, 0, 111.25], [3, 1, 9], [4, 1, 0.5]);
  const third = { name: "process 3", cpuSeconds: 4 };
  const first = { name: "process 1", cpuSeconds: 1.25 };
  assertEquals(usedBetween(before, after, new Set()), {
    ours: 0,
    kernel: 0,
    others: 1.25 + 4 + 0.5,
    busiest: third,
  });
  assertEquals(
    usedBetween(before, after, new Set([3])),
    { ours: 4, kernel: 0, others: 1.75, busiest: first },
  );
  after.set(4, { ...after.get(4)!, isKernelThread: true });
  assertEquals(
    usedBetween(before, after, new Set()),
    { ours: 0, kernel: 0.5, others: 5.25, busiest: third },
  );
});

Deno.test("usedBetween() follows the time of a chain of ended processes", () => {
  const before = accounts([1, 0, 10], [2, 1, 1], [3, 2, 20], [4, 3, 300]);
  assertEquals(others(before, accounts([1, 0, 331.5])), 0.5);
  // The parent ended first: the first process has taken the orphan, its grandparent has the parent's time.
  const orphaned = accounts([1, 0, 310.2], [2, 1, 21.1]);
  assertEquals(others(before, orphaned), 0.3);
  // An orphan of ours that the first process took is not used by others now.
  assertEquals(others(before, accounts([1, 0, 310], [2, 1, 1], [3, 2, 20]), [2, 3]), 0);
});

Deno.test("usedBetween() subtracts nothing for what nobody has waited for", () => {
  const before = accounts([1, 0, 10], [2, 1, 100], [3, 1, 7]);
  assertEquals(others(before, accounts([1, 0, 12], [3, 1, 7])), 2);
});

Deno.test("usedBetween() tells a new process from an ended one with the same id", () => {
  const before = accounts([1, 0, 10], [2, 1, 3]);
  assertEquals(others(before, accounts([1, 0, 13], [2, 1, 0.5, 99])), 0.5);
});

Deno.test("foreignSeconds() is never more than the processors did beside ours, and never negative", () => {
  const counted = { busySeconds: 4, interruptSeconds: 2.5 };
  assertEquals(foreignSeconds({ ours: 1, kernel: 0, others: 0.5 }, counted), 0.5);
  assertEquals(foreignSeconds({ ours: 1, kernel: 0, others: 190 }, counted), 3);
  assertEquals(foreignSeconds({ ours: 4.02, kernel: 0, others: 190 }, counted), 0);
});

Deno.test("foreignSeconds() counts ended processes that nobody waited for, where it knows the rest", () => {
  const used = { ours: 1, kernel: 0.25, others: 0.5 };
  assertEquals(foreignSeconds(used, { busySeconds: 4, interruptSeconds: 0.75 }), 2);
  assertEquals(foreignSeconds(used, { busySeconds: 4 }), 0.5);
});

Deno.test("useBetween() returns what happened on all processors together", () => {
  const at = (seconds: number, idleSeconds: number, stealSeconds: number, used: number) => ({
    atMs: seconds * 1000,
    machine: {
      idleSeconds,
      stealSeconds,
      interruptSeconds: 0,
      swappedBytes: 4096 * seconds,
    },
    processes: accounts([1, 0, used], [2, 1, used]),
  });
  // Two processors for ten seconds: 20 s.
  const before = at(100, 500, 7, 3);
  const use = (idle: number, steal: number, used: number, ours?: number[]) =>
    useBetween(before, at(110, 500 + idle, 7 + steal, 3 + used), ours && new Set(ours), 2);
  assertEquals(use(10, 0.5, 2, [2]), {
    capacityCpuSeconds: 20,
    foreignCpuSeconds: 2,
    busiestOther: { name: "process 1", cpuSeconds: 2 },
    idleCpuSeconds: 10,
    stealCpuSeconds: 0.5,
    swappedBytes: 40_960,
  });
  assertEquals(use(10, 0.5, 0, [2]).busiestOther, undefined);
  // What cannot be: the processors did no more than this.
  assertEquals(use(0, 0, 38, [2]).foreignCpuSeconds, 0);
  assertEquals(use(5, 2, 8, [2]).foreignCpuSeconds, 5);
  assertEquals(use(5, 2, 8).foreignCpuSeconds, undefined);
});

Deno.test("useBetween() counts what ended without being waited for, where kernel threads show that it sees all", () => {
  const kernelThread = {
    name: "kthreadd",
    parent: 0,
    seconds: 0.5,
    startTicks: 0,
    isKernelThread: true,
  } as const;
  const at = (seconds: number, idleSeconds: number, threads: [number, ProcessAccount][]) => ({
    atMs: seconds * 1000,
    machine: { idleSeconds, stealSeconds: 0, interruptSeconds: seconds / 10, swappedBytes: 0 },
    processes: new Map([...accounts([1, 0, seconds / 10], [2, 1, seconds / 5]), ...threads]),
  });
  // Of two processors in ten seconds: 8 s idle, 1 s in interrupts, 2 s ours, 1 s of the first process.
  const foreign = (idle: number, threads: [number, ProcessAccount][]) =>
    useBetween(at(100, 500, threads), at(110, 500 + idle, threads), new Set([2]), 2)
      .foreignCpuSeconds;
  assertEquals(foreign(8, [[9, kernelThread]]), 20 - 8 - 1 - 2);
  assertEquals(foreign(8, []), 1);
  // A processor was taken away, and its idle time with it.
  assertEquals(foreign(-100, [[9, kernelThread]]), 1);
});

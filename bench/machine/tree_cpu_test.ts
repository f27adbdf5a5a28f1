import { assertAlmostEquals, assertEquals } from "@std/assert";
import { type ProcessCpu, readTreeCpu, treeCpuBetween } from "./tree_cpu.ts";

const tree = (...processes: [pid: number, cpu: ProcessCpu][]) => new Map(processes);

Deno.test("treeCpuBetween() is exact while no thread ends, and adds up processes", () => {
  const before = tree(
    [1, { living: 20.001234, own: 20, ended: 3 }],
    [2, { living: 5, own: 5, ended: 0 }],
  );
  const after = tree(
    [1, { living: 20.412345, own: 20.4, ended: 3 }],
    [2, { living: 5.1, own: 5.11, ended: 0 }],
  );
  assertAlmostEquals(treeCpuBetween(before, after), 0.411111 + 0.1, 1e-12);
});

Deno.test("treeCpuBetween() counts threads that have ended, and never less than nothing", () => {
  // One thread of 19.6 s has ended; the process has used 0.41 s more.
  const before = tree([1, { living: 20, own: 20, ended: 0 }]);
  const after = tree([1, { living: 0.8, own: 20.41, ended: 0 }]);
  assertAlmostEquals(treeCpuBetween(before, after), 0.41, 1e-12);
});

Deno.test("treeCpuBetween() tells of a thread that has ended by a single tick, where nothing else ran", () => {
  const before = tree([1, { living: 20.001234, own: 20, ended: 3 }]);
  const after = tree([1, { living: 20.001334, own: 20.01, ended: 3 }]);
  assertAlmostEquals(treeCpuBetween(before, after, 0), 0.01, 1e-12);
  assertAlmostEquals(treeCpuBetween(before, after), 0.0001, 1e-12);
});

Deno.test("treeCpuBetween() counts processes that have come or ended, since the first reading", () => {
  const before = tree(
    [1, { living: 1, own: 1, ended: 2 }],
    [2, { living: 7, own: 7, ended: 0.5 }],
  );
  // Process 2 ended after 0.3 s more, and was waited for; process 3 began.
  const after = tree(
    [1, { living: 1.1, own: 1.1, ended: 9.8 }],
    [3, { living: 0.2, own: 0.2, ended: 0 }],
  );
  assertAlmostEquals(treeCpuBetween(before, after), 0.1 + 0.2 + 0.3, 1e-12);
  // Nobody waited for it: its time is in no counter.
  const lost = tree([1, { living: 1.1, own: 1.1, ended: 2 }]);
  assertAlmostEquals(treeCpuBetween(before, lost), 0.1, 1e-12);
});

Deno.test("readTreeCpu() sees this process grow", () => {
  const before = readTreeCpu(Deno.pid);
  assertEquals(before === undefined, Deno.build.os !== "linux");
  if (before === undefined) return;
  const endMs = performance.now() + 100;
  while (performance.now() < endMs);
  const seconds = treeCpuBetween(before, readTreeCpu(Deno.pid)!);
  assertEquals(seconds > 0.02 && seconds < 10, true);
});

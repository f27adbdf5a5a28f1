import { assert, assertEquals } from "@std/assert";
import { delay } from "@std/async";
import type { Subject } from "../impl/start.ts";
import { type Process, startProcess } from "../lib/process.ts";
import { processTree } from "../lib/process_tree.ts";
import { freeze, thaw } from "../lib/signals.ts";
import { isStanding, threadStates } from "../machine/proc.ts";
import { readTreeCpu, treeCpuBetween } from "../machine/tree_cpu.ts";
import { until } from "../testing/until.ts";
import { type FrozenSide, judgeFrozen, watchFrozen } from "./frozen.ts";
import type { Workload } from "./workload.ts";

function sideOf(process: Process, port = 1): FrozenSide {
  const url = `http://127.0.0.1:${port}`;
  return { subject: { impl: { id: "any" } as Subject["impl"], process, url }, account: "subject" };
}

function standsStill(pid: number): boolean {
  return threadStates(pid).every(isStanding);
}

/** Waits until a process has used 0.1 s of CPU time. */
async function untilBusy({ pid }: Process): Promise<void> {
  const before = readTreeCpu(pid)!;
  await until(() => treeCpuBetween(before, readTreeCpu(pid)!) > 0.1);
}

Deno.test({
  name:
    "watchFrozen() counts what a side used while it should have been frozen, apart from its turns",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const busy = ["sh", "-c", "while :; do :; done"];
    await using subject = startProcess(busy, { logPath: "/dev/null" });
    await using reference = startProcess(busy, { logPath: "/dev/null" });
    const frozen = watchFrozen({ subject: sideOf(subject), reference: sideOf(reference) }, {});
    freeze(subject);
    freeze(reference);
    for (const name of ["subject", "reference"] as const) {
      await frozen.untilIdle(name);
      frozen.begin(name);
    }

    frozen.end("reference");
    thaw(reference);
    // It thaws itself.
    thaw(subject);
    await untilBusy(reference);
    await untilBusy(subject);
    freeze(reference);
    freeze(subject);
    await until(() => standsStill(subject.pid));
    // It had two turns, one after the other.
    frozen.end("reference");
    await frozen.untilIdle("reference");
    frozen.begin("reference");
    frozen.end("subject");
    frozen.end("reference");

    const { frozenCpuSeconds, ...ofReference } = frozen.facts("reference");
    assertEquals(frozenCpuSeconds, undefined);
    assert(ofReference.cpuSeconds! > 0.1, `${ofReference.cpuSeconds} s`);
    const ofSubject = frozen.facts("subject");
    assert(ofSubject.frozenCpuSeconds! > 0.1, `${ofSubject.frozenCpuSeconds} s`);
    assert(ofSubject.cpuSeconds! > 0.1, `${ofSubject.cpuSeconds} s`);
  },
});

Deno.test("watchFrozen() asks nothing of a database that does not count by account", async () => {
  const counted = { database: { counting: { per: "server" } } } as Workload["counted"];
  const side = sideOf({ pid: Deno.pid } as Process);
  const frozen = watchFrozen({ subject: side, reference: side }, { counted });
  await frozen.untilIdle("subject");
  assertEquals(frozen.facts("subject").ranOnSeconds, undefined);
});

Deno.test({
  name:
    "untilIdle() waits until a frozen process stands still with all its threads, but not for ever",
  ignore: Deno.build.os !== "linux",
  async fn() {
    // Children, and more of them than there are processors: some wait for one while they are to stop.
    const children = Array(20).fill("while :; do :; done &").join(" ");
    const options = { logPath: "/dev/null" };
    await using subject = startProcess(["sh", "-c", `${children} wait`], options);
    const tree = () => processTree(subject.pid);
    await until(() => tree().length === 21);
    const frozen = watchFrozen({ subject: sideOf(subject), reference: sideOf(subject) }, {});
    for (let turn = 0; turn < 10; turn++) {
      freeze(subject);
      await frozen.untilIdle("subject");
      assert(tree().every(standsStill));
      frozen.begin("subject");
      await delay(20);
      frozen.end("subject");
      thaw(subject);
    }
    assertEquals(frozen.facts("subject").frozenCpuSeconds, undefined);
    // It runs: what it uses meanwhile is its own, up to a limit.
    await frozen.untilIdle("subject");
    frozen.begin("subject");
    await untilBusy(subject);
    frozen.end("subject");
    assert(frozen.facts("subject").frozenCpuSeconds! > 0.05);
  },
});

Deno.test({
  name: "untilIdle() does not wait for ever for a process that neither works nor stands still",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using subject = startProcess(["sleep", "60"], { logPath: "/dev/null" });
    const frozen = watchFrozen({ subject: sideOf(subject), reference: sideOf(subject) }, {});
    await frozen.untilIdle("subject");
    assertEquals(standsStill(subject.pid), false);
  },
});

Deno.test({
  name:
    "watchFrozen() counts who comes to a side that is frozen, and who was there before its load",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using subject = startProcess(["sleep", "60"], { logPath: "/dev/null" });
    await using reference = startProcess(["sleep", "60"], { logPath: "/dev/null" });
    const listeners = [0, 1].map(() => Deno.listen({ hostname: "127.0.0.1", port: 0 }));
    const [ofSubject, ofReference] = listeners.map(({ addr }) => addr.port);
    const open = (port: number) => Deno.connect({ hostname: "127.0.0.1", port });
    const connections = [await open(ofReference!)];
    const frozen = watchFrozen({
      subject: sideOf(subject, ofSubject),
      reference: sideOf(reference, ofReference),
    }, {});
    // Its load generator's.
    connections.push(await open(ofReference!), await open(ofSubject!));
    frozen.begin("reference");
    connections.push(await open(ofSubject!));
    const short = await open(ofReference!);
    short.close();
    frozen.end("reference");
    connections.push(await open(ofReference!));
    assertEquals(frozen.facts("reference").rivalConnections, undefined);
    const { rivalConnections } = frozen.facts("subject");
    assertEquals(rivalConnections, 2);
    const side = { correct: 1, failed: 0, seconds: 1, perSlice: [1], rivalConnections };
    assertEquals(judgeFrozen([side, side]), [
      "4 connections were opened to the other server while only this side ran, expected none",
    ]);
    for (const resource of [...connections, ...listeners]) resource.close();
  },
});

/**
 * Frozen: does a side of a comparison leave the machine to the other? Takes two sides that run in turn; returns what each
 * used while it ran and while it was frozen, how long the database still worked for one that had been frozen, and whether
 * one gave the other work to do.
 *
 * A timer of a frozen process can thaw it (timer_create(2) with SIGCONT). The database is never frozen, and goes on with
 * a statement that it was sent before. What is sent to a frozen server waits in its sockets, and is its work in its own turn.
 * Each slows the other side down.
 *
 * Not found is what a process does between the freeze and standing still, in 0.02 s: its threads need a processor to stop, so
 * its CPU time is read once all of them have, or are given up on.
 */
import { delay } from "@std/async";
import { otherSide, type SideName, sideNames } from "../database/database.ts";
import type { Subject } from "../impl/start.ts";
import { readWork, untilIdle, type Work } from "../database/until_idle.ts";
import { processTree } from "../lib/process_tree.ts";
import { sumOf } from "../lib/sum.ts";
import { isStanding, threadStates } from "../machine/proc.ts";
import { hasUnread } from "../machine/unread.ts";
import { readTreeCpu, type TreeCpu, treeCpuBetween } from "../machine/tree_cpu.ts";
import type { ComparedSide } from "../results/comparison_schema.ts";
import { formatInteger } from "../lib/format_integer.ts";
import { clientsOf } from "../machine/client_connections.ts";
import { countEstablished } from "../machine/established.ts";
import { alwaysAllowed, limits } from "./limits.ts";
import type { TurnSide } from "./judge_scheduling.ts";
import type { Workload } from "./workload.ts";

/** What one side did in a load, and beside it. */
export interface FrozenFacts
  extends Pick<ComparedSide, "frozenCpuSeconds" | "ranOnSeconds" | "rivalConnections"> {
  /** From its first to its last moment as a frozen process; absent where the system does not report it. */
  cpuSeconds?: number;
}

/** Watches the two sides of one load. */
export interface FrozenWatch {
  /**
   * Waits, after a side was frozen and before another is thawed, until its threads stand still and the database has done
   * what that side wanted.
   */
  untilIdle(name: SideName): Promise<void>;
  /** Called after `untilIdle` for a side that is not the next to run: it counts as frozen from when it stood still. */
  begin(name: SideName): void;
  /** Called before a side is thawed, and at the end. */
  end(name: SideName): void;
  /** Returns what was seen of a side. */
  facts(name: SideName): FrozenFacts;
}

/** A side, and where its server listens. */
export interface FrozenSide extends TurnSide {
  subject: TurnSide["subject"] & Pick<Subject, "url">;
}

/** What was read of one side. */
interface Readings {
  /** When it had last come to stand still, before the database was waited for. */
  standing?: TreeCpu;
  first?: TreeCpu;
  last?: TreeCpu;
  isFrozen: boolean;
  frozenSeconds: number;
  ranOnSeconds?: number;
  /** What the database did for it when that was last read, and when. */
  work?: Work & { ms: number };
  /** The clients that it had when it was frozen. */
  clients?: ReadonlySet<string>;
  /** Connections to it that cannot be its load generator's. */
  strangers: number;
}

/** Begins to watch the sides of one load; both are frozen, and their load generators are still to be started. */
export function watchFrozen(
  sides: Record<SideName, FrozenSide>,
  { counted }: Pick<Workload, "counted">,
): FrozenWatch {
  const readings = Object.fromEntries(
    sideNames.map((name): [SideName, Readings] => {
      const strangers = countEstablished(sides[name].subject.url) ?? 0;
      return [name, { isFrozen: false, frozenSeconds: 0, strangers }];
    }),
  ) as Record<SideName, Readings>;
  const read = (name: SideName) => readTreeCpu(sides[name].subject.process.pid);
  return {
    async untilIdle(name) {
      const of = readings[name];
      of.standing = await readStanding(sides[name].subject.process.pid);
      // Where statements are not counted by account, both sides may have the same one.
      if (counted?.database.counting.per !== "account") return;
      const { connection, database: { accounts } } = counted;
      const { user, port } = accounts[sides[name].account];
      const isUnread = (clients: readonly number[]) => hasUnread(port, clients);
      const seconds = await untilIdle(connection, user, limits.ranOnSeconds, isUnread);
      if (seconds !== undefined) of.ranOnSeconds = Math.max(seconds, of.ranOnSeconds ?? 0);
      for (const side of sideNames) {
        const { account } = sides[side];
        const at = { ...await readWork(connection, accounts[account].user), ms: performance.now() };
        const { work, isFrozen } = readings[side];
        // The kernel may hold commands back until their client is frozen. Some are counted long after they were done.
        const more = at.commands - (work?.commands ?? 0) > alwaysAllowed.statements;
        if (isFrozen && work && (at.running > 0 || more)) {
          const seconds = (at.ms - work.ms) / 1000;
          readings[side].ranOnSeconds = Math.max(seconds, readings[side].ranOnSeconds ?? 0);
        }
        readings[side].work = at;
      }
    },
    begin(name) {
      const of = readings[name];
      of.last = of.standing;
      of.first ??= of.last;
      of.clients = clientsOf(sides[name].subject.url);
      of.isFrozen = true;
    },
    end(name) {
      const of = readings[name];
      if (!of.isFrozen) return;
      const now = read(name);
      // The ticks of a process that stands still do not move, so they tell of threads that have ended meanwhile.
      if (of.last && now) of.frozenSeconds += treeCpuBetween(of.last, now, 0);
      of.last = now;
      of.strangers +=
        clientsOf(sides[name].subject.url)?.difference(of.clients ?? new Set()).size ?? 0;
      of.isFrozen = false;
    },
    facts(name) {
      const { first, last, frozenSeconds, ranOnSeconds } = readings[name];
      return {
        cpuSeconds: first && last && treeCpuBetween(first, last),
        frozenCpuSeconds: frozenSeconds > alwaysAllowed.frozenCpuSeconds
          ? frozenSeconds
          : undefined,
        ranOnSeconds,
        rivalConnections: readings[otherSide(name)].strangers || undefined,
      };
    },
  };
}

/**
 * How long a frozen process is waited for until it stands still, in seconds: what it does later counts as done while it was
 * frozen. If one of its threads waits for a processor, it is waited for longer, but not once it has used so much CPU time.
 */
const mostToStand = { seconds: 0.02, cpuSeconds: 0.02, secondsForProcessor: 0.5 };

/**
 * Reads a frozen process once it stands still, with all its descendants. A thread that runs on for a moment after the
 * reading would be charged whole ticks of 10 ms.
 */
async function readStanding(pid: number): Promise<TreeCpu | undefined> {
  const beganMs = performance.now();
  let first: TreeCpu | undefined;
  for (;;) {
    const states = processTree(pid).flatMap(threadStates);
    if (states.every(isStanding)) return readTreeCpu(pid);
    const now = readTreeCpu(pid);
    first ??= now;
    const used = first && now ? treeCpuBetween(first, now) : 0;
    const mostSeconds = states.includes("R")
      ? mostToStand.secondsForProcessor
      : mostToStand.seconds;
    const isLate = performance.now() - beganMs > mostSeconds * 1000;
    if (isLate || used > mostToStand.cpuSeconds) return now;
    await delay(1);
  }
}

/** Tells whether a side worked while it was frozen, or gave work to the other. */
export function hasDisturbedOther(
  { frozenCpuSeconds, ranOnSeconds, rivalConnections }: ComparedSide,
): boolean {
  return [frozenCpuSeconds, ranOnSeconds, rivalConnections].some((it) => it !== undefined);
}

/** Says how one side worked while it was frozen, or gave work to the other, in all its rounds. */
export function judgeFrozen(sides: readonly ComparedSide[]): string[] {
  const cpuSeconds = sumOf(sides, (side) => side.frozenCpuSeconds ?? 0);
  const ranOnSeconds = Math.max(0, ...sides.map((side) => side.ranOnSeconds ?? 0));
  const connections = sumOf(sides, (side) => side.rivalConnections ?? 0);
  return [
    ...(cpuSeconds === 0 ? [] : [
      `its processes used ${
        cpuSeconds.toFixed(2)
      } s of CPU time while they were frozen, expected at most ${alwaysAllowed.frozenCpuSeconds} s in a load`,
    ]),
    ...(ranOnSeconds === 0 ? [] : [
      `the database still worked for it ${
        ranOnSeconds.toFixed(2)
      } s after it was frozen, expected none of its statements to be in execution by then`,
    ]),
    ...(connections === 0 ? [] : [
      `${
        connections === 1 ? "1 connection was" : `${formatInteger(connections)} connections were`
      } opened to the other server while only this side ran, expected none`,
    ]),
  ];
}

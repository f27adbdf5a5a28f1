/**
 * Judge the scheduling: did a process of the same user change what the kernel grants another, or raise itself? Takes the
 * processes of a load's roles; says which had another nice value, policy or other processors than those that the harness
 * began with. A server could slow the control down by that, and seem as much faster.
 *
 * Not found is what was undone before it was looked at. In a comparison, sides run in turn, and everything is looked at
 * after each turn, while both are frozen. Before that, only a process could undo anything that descends from neither server,
 * such as one that another service has started. In other loads, whoever cheats runs all the time, and what lasts less
 * than 2 s may be missed. Nor is anything found that slows a process down by other means than these: control groups,
 * limits of resources (prlimit(2)), signals.
 */
import { type SideName, sideNames } from "../database/database.ts";
import type { Subject } from "../impl/start.ts";
import { descendants, processTree } from "../lib/process_tree.ts";
import { parentOf } from "../machine/proc.ts";
import type { RoleName } from "../machine/sampler.ts";
import {
  policyNames,
  processorsIn,
  readSchedulings,
  type Scheduling,
} from "../machine/scheduling.ts";
import { isOurs } from "../native/native.ts";
import type { Reason } from "./limits.ts";
import type { LoadSession } from "./session.ts";

/** What the harness itself began with, before anything that is measured runs; undefined on anything but Linux. */
const ownScheduling = readSchedulings([Deno.pid]).get(Deno.pid);

/**
 * What a process may change of itself: an implementation may give way to others and leave processors unused, as some
 * runtimes do for threads that collect garbage; MySQL, as root, raises the thread that flushes pages.
 */
export type May = "nothing" | "give-way" | "raise-itself";

/** Says how a scheduling differs from what is expected beyond what is allowed; undefined where it does not. */
export function differenceOf(
  is: Scheduling,
  expected: Scheduling,
  may: May = "nothing",
): string | undefined {
  const differs = (now: number, was: number) =>
    may === "give-way" ? now < was : may === "raise-itself" ? now > was : now !== was;
  const bound = { "nothing": "", "give-way": " or more", "raise-itself": " or less" }[may];
  const parts: string[] = [];
  const allowed = processorsIn(expected.processors);
  const isWithin = [...processorsIn(is.processors)].every((it) => allowed.has(it));
  if (may === "give-way" ? !isWithin : is.processors !== expected.processors) {
    parts.push(
      `could use processors ${is.processors}${isWithin ? " only" : ""}, expected ${
        may === "give-way" ? "none but " : ""
      }${expected.processors}`,
    );
  }
  if (differs(is.nice, expected.nice)) {
    parts.push(`had nice value ${is.nice}, expected ${expected.nice}${bound}`);
  }
  const { autogroupNice: now = 0 } = is;
  const { autogroupNice: was = 0 } = expected;
  if (differs(now, was)) {
    parts.push(`had nice value ${now} of its autogroup, expected ${was}${bound}`);
  }
  const mayHave = may === "give-way" ? [expected.policy, 3, 5] : [expected.policy];
  if (!mayHave.includes(is.policy)) {
    const [name, usual] = [is.policy, expected.policy].map((it) => policyNames[it] ?? `${it}`);
    parts.push(`had scheduling policy ${name}, expected ${usual}`);
  }
  return parts.length === 0 ? undefined : parts.join(" and ");
}

/** Of servers that the harness did not start, such as a container's: what their threads had when they were first seen. */
const firstSeen = new Map<number, readonly Scheduling[]>();

/** Says how the threads of a process and its descendants differ from what is expected, each difference once. */
function differencesIn([pid, ...others]: readonly number[], may: May): Set<string> {
  const found = new Set<string>();
  if (ownScheduling === undefined || pid === undefined) return found;
  const now = readSchedulings([pid, ...others]);
  const isGiven = may === "raise-itself" && parentOf(pid) !== Deno.pid;
  if (isGiven && !firstSeen.has(pid)) firstSeen.set(pid, [...now.values()]);
  const started: Scheduling = {
    ...ownScheduling,
    // What the harness starts has a session, and so an autogroup, of its own, which begins at 0.
    autogroupNice: pid === Deno.pid ? ownScheduling.autogroupNice : 0,
  };
  const [expected = started, ...alike] = isGiven ? firstSeen.get(pid)! : [];
  for (const scheduling of now.values()) {
    const difference = differenceOf(scheduling, expected, isGiven ? "nothing" : may);
    if (difference === undefined) continue;
    // A thread of a given server may be as another of its threads was: new ones come.
    if (alike.some((it) => differenceOf(scheduling, it) === undefined)) continue;
    found.add(difference);
  }
  return found;
}

/** Watches the roles of one load that runs alone. */
export interface RolesWatch {
  look(role: RoleName, pids: readonly number[]): void;
  /** What was found so far, as clauses; undefined for nothing. */
  found(): string[] | undefined;
}

const roleTexts: Record<RoleName, string> = {
  subject: "the subject",
  database: "the database",
  upstream: "the upstream",
  generator: "the load generator",
  harness: "the harness",
};

function mayOf(role: RoleName): May {
  return role === "subject" ? "give-way" : role === "database" ? "raise-itself" : "nothing";
}

/** Begins to watch the roles of a load. */
export function watchRoles(): RolesWatch {
  const texts = new Set<string>();
  return {
    look(role, pids) {
      for (const difference of differencesIn(pids, mayOf(role))) {
        texts.add(`${roleTexts[role]} ${difference}`);
      }
    },
    found: () => texts.size === 0 ? undefined : [...texts],
  };
}

/** A side of a comparison: its server, and whose upstream it calls. */
export interface TurnSide {
  subject: Pick<Subject, "impl" | "process">;
  account: SideName;
}

/** Watches a comparison, whose sides run in turn. */
export interface TurnsWatch {
  /** Looks at everything after one side has run, while both are frozen. */
  look(
    ran: SideName,
    sides: Partial<Record<SideName, TurnSide>>,
    loads?: Partial<Record<SideName, { readonly pid: number }>>,
  ): void;
  /** What was found since the last call, as clauses: by the side that had run when it was found for the first time. */
  take(): Partial<Record<SideName, string[]>>;
}

/** Begins to watch the sides of a comparison. */
export function watchTurns(
  { scenario: { upstreams }, database }: Pick<LoadSession, "scenario" | "database">,
): TurnsWatch {
  const databasePid = database?.pid;
  const ranFirst = new Map<string, SideName>();
  const found = new Set<string>();
  /** What the threads of each implementation had when it was frozen, by their ids. */
  const frozen = new Map<number, Scheduling>();
  return {
    look(ran, sides, loads = {}) {
      const add = (who: string, differences: Iterable<string>) => {
        for (const difference of differences) {
          const text = `${who} ${difference}`;
          found.add(text);
          if (!ranFirst.has(text)) ranFirst.set(text, ran);
        }
      };
      const lookAt = (who: string, pids: readonly number[], may: May = "nothing") =>
        add(who, differencesIn(pids, may));
      for (const name of sideNames) {
        const side = sides[name];
        if (side === undefined) continue;
        const { impl, process } = side.subject;
        const who = isOurs(impl) ? "the control" : `the ${name}`;
        const pids = descendants(process);
        if (isOurs(impl)) lookAt(who, pids);
        else if (name === ran) {
          lookAt(who, pids, "give-way");
          for (const [thread, now] of readSchedulings(pids)) frozen.set(thread, now);
        } else {
          // What it may change of itself, it has not changed meanwhile.
          for (const [thread, now] of readSchedulings(pids)) {
            const difference = differenceOf(now, frozen.get(thread) ?? now);
            if (difference !== undefined) add(who, [difference]);
          }
        }
        const load = loads[name];
        if (load !== undefined) {
          lookAt(`the load generator of ${who}`, processTree(load.pid));
        }
        const upstream = upstreams?.[side.account];
        if (upstream !== undefined) lookAt(`the upstream of ${who}`, [upstream.pid]);
      }
      if (databasePid !== undefined) {
        lookAt(roleTexts.database, processTree(databasePid), "raise-itself");
      }
      lookAt(roleTexts.harness, [Deno.pid]);
    },
    take() {
      const taken: Partial<Record<SideName, string[]>> = {};
      for (const text of found) (taken[ranFirst.get(text)!] ??= []).push(text);
      found.clear();
      return taken;
    },
  };
}

/** Returns why a load is invalid whose processes did not have what is expected. */
export function judgeScheduling(changes: readonly string[] = []): Reason[] {
  return changes.map((message) => ({ code: "scheduling", message }));
}

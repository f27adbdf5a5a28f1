import { assertEquals } from "@std/assert";
import type { Subject } from "../impl/start.ts";
import { type Process, startProcess } from "../lib/process.ts";
import { processTree } from "../lib/process_tree.ts";
import { parentOf } from "../machine/proc.ts";
import { readSchedulings, type Scheduling } from "../machine/scheduling.ts";
import { until } from "../testing/until.ts";
import {
  differenceOf,
  type May,
  type TurnSide,
  watchRoles,
  watchTurns,
} from "./judge_scheduling.ts";

const usual: Scheduling = { nice: 0, autogroupNice: 0, policy: 0, processors: "0-3" };

Deno.test("differenceOf() says what is and what should be", async (t) => {
  const cases: [is: Partial<Scheduling>, may: May, says: string | undefined][] = [
    [{}, "nothing", undefined],
    [{ processors: "0" }, "nothing", "could use processors 0 only, expected 0-3"],
    [{ processors: "0" }, "give-way", undefined],
    [{ processors: "2-5" }, "give-way", "could use processors 2-5, expected none but 0-3"],
    [{ nice: 10 }, "nothing", "had nice value 10, expected 0"],
    [{ nice: 10 }, "give-way", undefined],
    [{ nice: -5 }, "give-way", "had nice value -5, expected 0 or more"],
    [{ nice: -20 }, "raise-itself", undefined],
    [{ nice: 19 }, "raise-itself", "had nice value 19, expected 0 or less"],
    [{ processors: "1" }, "raise-itself", "could use processors 1 only, expected 0-3"],
    [{ autogroupNice: 19 }, "nothing", "had nice value 19 of its autogroup, expected 0"],
    // A kernel without such groups.
    [{ autogroupNice: undefined }, "nothing", undefined],
    [{ policy: 5 }, "nothing", "had scheduling policy SCHED_IDLE, expected SCHED_OTHER"],
    [{ policy: 5 }, "give-way", undefined],
    [{ policy: 1 }, "give-way", "had scheduling policy SCHED_FIFO, expected SCHED_OTHER"],
    [
      { nice: 1, processors: "0-1" },
      "nothing",
      "could use processors 0-1 only, expected 0-3 and had nice value 1, expected 0",
    ],
  ];
  for (const [is, may, says] of cases) {
    await t.step(`${JSON.stringify(is)}, which may do ${may}`, () => {
      assertEquals(differenceOf({ ...usual, ...is }, usual, may), says);
    });
  }
});

/** Starts a program that does nothing. */
async function startIdle(command = ["sleep", "60"]): Promise<Process> {
  const process = startProcess(command, { logPath: "/dev/null" });
  const name = command[0]!;
  await until(async () => (await Deno.readTextFile(`/proc/${process.pid}/comm`)).trim() === name);
  return process;
}

async function renice(nice: number, pid: number): Promise<void> {
  const args = ["-n", `${nice}`, "-p", `${pid}`];
  const { success } = await new Deno.Command("renice", { args, stdout: "null" }).output();
  assertEquals(success, true);
}

/** Of this process: tests may run with less than the highest priority. */
const own = readSchedulings([Deno.pid]).get(Deno.pid)?.nice ?? 0;
const lower = own + 3;
/** Nice values end at 19: what is lowered beyond stays as it is. */
const ignore = Deno.build.os !== "linux" || own > 14;

Deno.test({
  name: "watchRoles() finds a role that was given a lower priority, and keeps it",
  ignore,
  async fn() {
    await using idle = await startIdle();
    const roles = watchRoles();
    const look = () => {
      for (const role of ["subject", "generator", "database"] as const) {
        roles.look(role, [idle.pid]);
      }
      roles.look("harness", [Deno.pid]);
    };
    look();
    assertEquals(roles.found(), undefined);
    await renice(lower, idle.pid);
    look();
    look();
    // The subject may have done that to itself.
    assertEquals(roles.found(), [
      `the load generator had nice value ${lower}, expected ${own}`,
      `the database had nice value ${lower}, expected ${own} or less`,
    ]);
  },
});

Deno.test({
  name: "watchRoles() takes a database that others started as it was when it was first seen",
  ignore,
  async fn() {
    await using shell = await startIdle(["sh", "-c", "nice -n 2 sleep 60; :"]);
    await until(() => processTree(shell.pid).length === 2);
    const pid = processTree(shell.pid)[1]!;
    assertEquals(parentOf(pid), shell.pid);
    await until(() => readSchedulings([pid]).get(pid)?.nice === own + 2);
    const roles = watchRoles();
    roles.look("database", [pid]);
    assertEquals(roles.found(), undefined);
    await renice(lower, pid);
    const later = watchRoles();
    later.look("database", [pid]);
    assertEquals(later.found(), [
      `the database had nice value ${lower}, expected ${own + 2}`,
    ]);
  },
});

function sideOf(id: string, process: Process): TurnSide {
  return { subject: { impl: { id } as Subject["impl"], process }, account: "subject" };
}

Deno.test({
  name: "watchTurns() says what was found after which side had run",
  ignore,
  async fn(t) {
    const session = { scenario: {} } as Parameters<typeof watchTurns>[0];
    await using one = await startIdle();
    await using two = await startIdle();
    await using generator = await startIdle();
    const loads = { reference: generator };

    await t.step("the control and its load generator, as long as it lasts", async () => {
      const turns = watchTurns(session);
      const sides = { subject: sideOf("cheat", one), reference: sideOf("control", two) };
      turns.look("reference", sides, loads);
      assertEquals(turns.take(), {});
      await renice(lower, two.pid);
      await renice(lower, generator.pid);
      turns.look("subject", sides, loads);
      turns.look("reference", sides, loads);
      const texts = ["the control", "the load generator of the control"]
        .map((who) => `${who} had nice value ${lower}, expected ${own}`);
      assertEquals(turns.take(), { subject: texts });
      turns.look("reference", sides, loads);
      assertEquals(turns.take(), { subject: texts });
    });

    await t.step("another implementation, while it was frozen", async () => {
      const turns = watchTurns(session);
      const sides = { subject: sideOf("cheat", one), reference: sideOf("other", two) };
      // It may do this to itself.
      await renice(lower + 1, two.pid);
      turns.look("reference", sides);
      turns.look("subject", sides);
      assertEquals(turns.take(), {});
      await renice(lower + 2, two.pid);
      turns.look("subject", sides);
      assertEquals(turns.take(), {
        subject: [`the reference had nice value ${lower + 2}, expected ${lower + 1}`],
      });
    });
  },
});

import { assertEquals } from "@std/assert";
import { reasonsFor } from "../testing/reasons_for.ts";
import { exampleObservation } from "../testing/example_result.ts";
import {
  isOnlyDisturbed,
  judgeMachine,
  loadsToRepeat,
  reasonToRepeat,
  stealWarning,
} from "./judge_machine.ts";
import { mergeMachine } from "./merge_facts.ts";

Deno.test("judge() rejects a load beside which other processes worked, or the machine swapped", () => {
  assertEquals(reasonsFor(({ resources }) => resources!.machine.foreignCpuSeconds = 1), [
    "foreign-load: other processes used 20.0 % of the machine's CPU time, expected at most 5.0 %",
  ]);
  const named = { foreignCpuSeconds: 1, busiestOther: { name: "\x1b[31mrustc", cpuSeconds: 0.9 } };
  assertEquals(reasonsFor(({ resources }) => Object.assign(resources!.machine, named)), [
    'foreign-load: other processes used 20.0 % of the machine\'s CPU time, most of it "\\u001b[31mrustc", expected at most 5.0 %',
  ]);
  // Less than half of it says nothing.
  const { busiestOther } = named;
  assertEquals(
    reasonsFor(({ resources }) =>
      Object.assign(resources!.machine, { foreignCpuSeconds: 2, busiestOther })
    ),
    ["foreign-load: other processes used 40.0 % of the machine's CPU time, expected at most 5.0 %"],
  );
  assertEquals(reasonsFor(({ resources }) => resources!.machine.stealCpuSeconds = 0.03), []);
  assertEquals(reasonsFor(({ resources }) => resources!.machine.stealCpuSeconds = 0.04), [
    "steal: the hypervisor took 0.8 % of the machine's CPU time, expected at most 0.5 %",
  ]);
  assertEquals(reasonsFor(({ resources }) => resources!.machine.swappedBytes = 2 ** 21), [
    "swapping: the machine swapped 2,097,152 bytes, expected at most 1,048,576",
  ]);
});

Deno.test("judgeMachine() goes by the share of a long load, and the allowance of a short one", () => {
  const quiet = { capacityCpuSeconds: 100, idleCpuSeconds: 0, stealCpuSeconds: 0, swappedBytes: 0 };
  const codes = (use: Partial<typeof quiet> & { foreignCpuSeconds?: number }) =>
    judgeMachine({ ...quiet, ...use }).map(({ code }) => code);
  const [short, tick] = [{ capacityCpuSeconds: 1 }, 0.01];
  assertEquals(codes({ foreignCpuSeconds: 4.9, stealCpuSeconds: 0.49, swappedBytes: 2 ** 20 }), []);
  assertEquals(codes({ foreignCpuSeconds: 5.1, stealCpuSeconds: 0.51 }), ["foreign-load", "steal"]);
  assertEquals(codes({ ...short, foreignCpuSeconds: 0.24, stealCpuSeconds: 0.03 }), []);
  assertEquals(codes({ ...short, foreignCpuSeconds: 0.26, stealCpuSeconds: 0.03 + tick }), [
    "foreign-load",
    "steal",
  ]);
});

Deno.test("judge() says how much it was with as many digits as tell it from the limit", () => {
  const reasonOf = (use: { foreignCpuSeconds?: number; stealCpuSeconds?: number }) =>
    reasonsFor(({ resources }) =>
      Object.assign(resources!.machine, { capacityCpuSeconds: 100, ...use })
    )[0];
  for (
    const [seconds, text] of [[0.6, "0.6 %"], [0.52, "0.52 %"], [0.504, "0.504 %"]] as const
  ) {
    assertEquals(
      reasonOf({ stealCpuSeconds: seconds }),
      `steal: the hypervisor took ${text} of the machine's CPU time, expected at most 0.5 %`,
    );
  }
  assertEquals(
    reasonOf({ foreignCpuSeconds: 5.02 }),
    "foreign-load: other processes used 5.02 % of the machine's CPU time, expected at most 5.0 %",
  );
});

Deno.test("reasonToRepeat() has the messages where nothing but the machine is to blame", () => {
  const startedAt = "2026-01-01T00:00:00.000Z";
  const retry = (codes: ("foreign-load" | "steal" | "swapping" | "failures")[]) =>
    reasonToRepeat({
      startedAt,
      validity: {
        valid: false,
        reasons: codes.map((code) => ({ code, message: `because of ${code}` })),
      },
    });
  assertEquals(retry(["foreign-load"]), "because of foreign-load");
  assertEquals(retry(["steal"]), "because of steal");
  assertEquals(retry(["swapping", "foreign-load"]), "because of swapping; because of foreign-load");
  assertEquals(retry(["failures"]), undefined);
  assertEquals(retry(["foreign-load", "failures"]), undefined);
  assertEquals(reasonToRepeat({ startedAt, validity: { valid: true } }), undefined);
});

Deno.test("stealWarning() tells that the host takes processors, and nothing of other disturbance", () => {
  const { machine } = exampleObservation().resources!;
  const warningOf = (use: Partial<typeof machine>) =>
    stealWarning({ ...machine, ...use }, "While it was verified");
  assertEquals(warningOf({ swappedBytes: 2 ** 30, foreignCpuSeconds: 1 }), undefined);
  assertEquals(stealWarning(undefined, "While it was verified"), undefined);
  assertEquals(
    warningOf({ capacityCpuSeconds: 10, stealCpuSeconds: 0.2 }),
    "While it was verified, the hypervisor took 2.0 % of the machine's CPU time, expected at most 0.5 %: " +
      "loads that it disturbs are measured again, and may be invalid if it goes on. " +
      "Another machine or time of day may do better. Idle processors that poll may, too, but make it " +
      'another kind of machine (bench/README.md, "Steal time after idling")',
  );
});

Deno.test("isOnlyDisturbed() is true of a step with no reason but the machine's", () => {
  const { machine } = exampleObservation().resources!;
  const swapped = { ...machine, swappedBytes: 2 ** 21 };
  const reason = "the machine swapped 2,097,152 bytes, expected at most 1,048,576";
  assertEquals(isOnlyDisturbed({ machine: swapped, problem: reason }), true);
  const twice = "POST /notify/1 led to 2 calls of it, expected one";
  assertEquals(isOnlyDisturbed({ machine: swapped, problem: `${twice}; ${reason}` }), false);
  assertEquals(isOnlyDisturbed({ machine, problem: twice }), false);
  assertEquals(isOnlyDisturbed({ machine }), false);
});

Deno.test("loadsToRepeat() has the loads that time was stolen from, and all where a side may have disturbed the machine", () => {
  type Use = { stealCpuSeconds?: number; foreignCpuSeconds?: number; swappedBytes?: number };
  const unused = {
    ...{ capacityCpuSeconds: 2.5, idleCpuSeconds: 0, foreignCpuSeconds: 0 },
    ...{ stealCpuSeconds: 0, swappedBytes: 0 },
  };
  const of = (...uses: Use[]) => {
    const loads = uses.map((use) => ({ machine: { ...unused, ...use } }));
    const again = loadsToRepeat(
      { machine: mergeMachine(loads.map(({ machine }) => machine)) },
      loads,
    );
    return again.map((load) => loads.indexOf(load));
  };
  // Less than is always allowed, and more than its share of the load.
  const [stolen, calm] = [{ stealCpuSeconds: 0.02 }, { stealCpuSeconds: 0.01 }];
  assertEquals(of(calm, stolen, calm, stolen), [1, 3]);
  assertEquals(of(stolen, stolen), [0, 1]);
  assertEquals(of(stolen, { ...stolen, swappedBytes: 2 ** 21 }, calm), [0, 1, 2]);
  assertEquals(of(stolen, stolen, { ...calm, foreignCpuSeconds: 2 }), [0, 1, 2]);
});

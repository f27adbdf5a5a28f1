import { assertEquals } from "@std/assert";
import { countsAs } from "./deliveries.ts";
import { isOnlyDisturbed, judgeMachine } from "./judge_machine.ts";

const atRest = { capacityCpuSeconds: 100, idleCpuSeconds: 50, stealCpuSeconds: 0, swappedBytes: 0 };

Deno.test("countsAs() lets a rate count that is met on a disturbed machine, and none that is missed there", () => {
  const machine = { ...atRest, stealCpuSeconds: 3 };
  const steal = judgeMachine(machine);
  const said = steal[0]?.message;
  assertEquals(countsAs(true, [], []), { holds: true, disturbed: undefined });
  assertEquals(countsAs(false, [], []), { holds: false, disturbed: undefined });
  assertEquals(countsAs(true, [], steal), { holds: true, disturbed: said });
  const missed = countsAs(false, [], steal);
  assertEquals(missed, { holds: false, problem: said });
  assertEquals(isOnlyDisturbed({ machine, ...missed }), true);
});

Deno.test("countsAs() lets no rate count beside swapping, which is measured again, or with a wrong call", () => {
  const machine = { ...atRest, stealCpuSeconds: 3, swappedBytes: 1e9 };
  for (const isHeld of [true, false]) {
    const swapped = countsAs(isHeld, [], judgeMachine(machine));
    assertEquals([swapped.holds, swapped.disturbed], [false, undefined]);
    assertEquals(isOnlyDisturbed({ machine, ...swapped }), true);
    const twice = "2 calls of it, expected one";
    assertEquals(countsAs(isHeld, [twice], []), { holds: false, problem: twice });
    const both = countsAs(isHeld, [twice], judgeMachine(machine));
    assertEquals(isOnlyDisturbed({ machine, ...both }), false);
  }
});

import { assertEquals } from "@std/assert";
import { countsAs } from "./deliveries.ts";
import { isOnlyDisturbed, judgeMachine } from "./judge_machine.ts";

const atRest = { capacityCpuSeconds: 100, idleCpuSeconds: 50, stealCpuSeconds: 0, swappedBytes: 0 };

const held = { isHeld: true, isMissed: false };
const missed = { isHeld: false, isMissed: true };
const undecided = { isHeld: false, isMissed: false };

Deno.test("countsAs() lets a rate count on a disturbed machine that is met or missed all the same", () => {
  const machine = { ...atRest, stealCpuSeconds: 3 };
  const steal = judgeMachine(machine);
  const said = steal[0]?.message;
  assertEquals(countsAs(held, [], []), { holds: true, disturbed: undefined });
  assertEquals(countsAs(missed, [], []), { holds: false, disturbed: undefined });
  assertEquals(countsAs(held, [], steal), { holds: true, disturbed: said });
  assertEquals(countsAs(missed, [], steal), { holds: false, disturbed: said });
  const invalid = countsAs(undecided, [], steal);
  assertEquals(invalid, { holds: false, problem: said });
  assertEquals(isOnlyDisturbed({ machine, ...invalid }), true);
});

Deno.test("countsAs() lets no rate count beside swapping, or with a wrong call", () => {
  const [swapping] = judgeMachine({ ...atRest, swappedBytes: 1e9 });
  assertEquals(countsAs(held, [], [swapping!]), { holds: false, problem: swapping!.message });
  const twice = "2 calls of it, expected one";
  assertEquals(countsAs(held, [twice], []), { holds: false, problem: twice });
  const problem = `${twice}; ${swapping!.message}`;
  assertEquals(countsAs(missed, [twice], [swapping!]), { holds: false, problem });
});

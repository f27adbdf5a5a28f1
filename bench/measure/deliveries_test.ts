import { assertEquals } from "@std/assert";
import { countsAs } from "./deliveries.ts";
import { isOnlyDisturbed, judgeMachine } from "./judge_machine.ts";

Deno.test("countsAs() lets a rate count that is met on a disturbed machine, and none that is missed there", () => {
  const machine = {
    capacityCpuSeconds: 100,
    idleCpuSeconds: 50,
    stealCpuSeconds: 3,
    swappedBytes: 0,
  };
  const steal = judgeMachine(machine).map(({ message }) => message);
  const [said] = steal;
  assertEquals(countsAs(true, [], []), { holds: true, disturbed: undefined });
  assertEquals(countsAs(false, [], []), { holds: false, disturbed: undefined });
  assertEquals(countsAs(true, [], steal), { holds: true, disturbed: said });
  const missed = countsAs(false, [], steal);
  assertEquals(missed, { holds: false, problem: said });
  assertEquals(isOnlyDisturbed({ machine, ...missed }), true);
});

Deno.test("countsAs() lets nothing count that is wrong by itself, whatever the machine did", () => {
  const twice = "2 calls of it, expected one";
  assertEquals(countsAs(true, [twice], ["steal"]), { holds: false, problem: twice });
  assertEquals(countsAs(false, [twice], ["steal"]), { holds: false, problem: `${twice}; steal` });
});

import { assertEquals } from "@std/assert";
import {
  account,
  arrivalsOfAccepted,
  holds,
  mayBeHigher,
  missesTheLowest,
  notPassedOn,
  sustainedDeliveries,
  takenSecondsOf,
} from "./deliveries.ts";
import type { DeliveryStep } from "./deliveries_schema.ts";

const percentiles = { p50: 0.001, p90: 0.001, p99: 0.001, p999: 0.001, max: 0.001 };
const goal = { p99Seconds: 0.05, failureShare: 0.001, arrivalP99Seconds: 1, drainSeconds: 2 };
const step = {
  ratePerSecond: 100,
  due: 6_000,
  attempted: 6_000,
  unsent: 0,
  correct: 6_000,
  lost: 0,
  givenUp: 0,
  acceptSeconds: percentiles,
  arrivalSeconds: percentiles,
  drainSeconds: 0.1,
};

Deno.test("account() counts what arrived of what was accepted, and what did not", () => {
  const sent = new Set([1, 2, 3, 4]);
  const accepted = new Set([1, 2, 3]);
  // 4 was not accepted, but may have been passed on all the same: nobody knows what a broken answer meant.
  const calls = new Map([[1, 1], [3, 1], [4, 1]]);
  const expected = { delivered: 2, lost: 1, problems: [] };
  assertEquals(account({ sent, accepted, calls, others: 0 }), expected);
});

Deno.test("account() names calls that were made twice, and those of ids that nobody sent", () => {
  const ids = new Set([1, 2, 3]);
  const calls = new Map([[1, 1], [2, 2], [3, 4], [9, 1], [8, 2]]);
  const { delivered, lost, problems } = account({ sent: ids, accepted: ids, calls, others: 0 });
  assertEquals([delivered, lost], [3, 0]);
  assertEquals(problems, [
    {
      check: "called-twice",
      sent: "POST /notify/2",
      came: "2 calls of it (and as much of 1 more)",
      expected: "one",
    },
    {
      check: "unknown-id",
      sent: "no POST /notify/9",
      came: "a call of it (and of 1 more that nobody sent)",
      expected: "none",
    },
  ]);
});

Deno.test("account() names calls of another path, which the upstream may answer sooner", () => {
  const ids = new Set([1]);
  const { problems } = account({ sent: ids, accepted: ids, calls: new Map([[1, 1]]), others: 1 });
  assertEquals(problems.map(({ came }) => came), ["another path, or a query, in 1 of the calls"]);
});

Deno.test("holds() asks for fast answers, for every delivery, and for each soon", () => {
  assertEquals(holds(step, goal), true);
  const slow = { ...percentiles, p99: 0.06 };
  assertEquals(holds({ ...step, acceptSeconds: slow }, goal), false);
  assertEquals(holds({ ...step, lost: 6 }, goal), true);
  assertEquals(holds({ ...step, lost: 7 }, goal), false);
  assertEquals(holds({ ...step, lost: 3, givenUp: 4 }, goal), false);
  assertEquals(holds({ ...step, correct: 5_990, lost: 0 }, goal), false);
  assertEquals(holds({ ...step, arrivalSeconds: { ...percentiles, p99: 1.1 } }, goal), false);
  assertEquals(holds({ ...step, drainSeconds: 2.1 }, goal), false);
  assertEquals(holds({ ...step, arrivalSeconds: undefined, drainSeconds: undefined }, goal), false);
  // Due in the last 50 ms, five could still have been accepted in time.
  const unsent = { ...step, attempted: 5_990, correct: 5_990 };
  assertEquals(holds({ ...unsent, unsent: 10 }, goal), true);
  assertEquals(holds({ ...unsent, unsent: 12 }, goal), false);
});

Deno.test("holds() adds the time that was taken, if so late an answer was read, to the times of arrivals", () => {
  const stalled = { ...step, acceptSeconds: { ...percentiles, p99: 0.01, max: 0.3 } };
  const late = { ...stalled, arrivalSeconds: { ...percentiles, p99: 0.8 } };
  const drained = { ...stalled, drainSeconds: 1.8 };
  const judged = [0, 0.1, 5].map((taken) =>
    [stalled, late, drained].map((it) => holds(it, goal, taken))
  );
  assertEquals(judged, [[true, true, true], [true, true, true], [true, false, false]]);
});

Deno.test("takenSecondsOf() is steal time and background load, as far as that is known", () => {
  assertEquals(takenSecondsOf(undefined), 0);
  const machine = { capacityCpuSeconds: 120, idleCpuSeconds: 60, swappedBytes: 0 };
  assertEquals(takenSecondsOf({ ...machine, stealCpuSeconds: 1 }), 1);
  assertEquals(takenSecondsOf({ ...machine, stealCpuSeconds: 1, foreignCpuSeconds: 2 }), 3);
});

Deno.test("sustainedDeliveries() is the last rate before the first that is too much, or that is invalid", () => {
  const at = (ratePerSecond: number, isHeld: boolean, problem?: string) =>
    ({ ratePerSecond, holds: isHeld, problem }) as DeliveryStep;
  const of = (...steps: DeliveryStep[]) => sustainedDeliveries(steps, { steps });
  assertEquals(of(at(300, true), at(100, true), at(200, true)), {
    sustainablePerSecond: 300,
  });
  assertEquals(of(at(100, true), at(200, false), at(300, true)), {
    sustainablePerSecond: 100,
  });
  assertEquals(of(at(100, false)), {});
  assertEquals(of(at(100, false, "background load"), at(200, true)), {});
  const belowInvalid = [at(100, true), at(200, false, "background load"), at(300, false)];
  assertEquals(of(...belowInvalid), { sustainablePerSecond: 100 });
  assertEquals(mayBeHigher({ steps: belowInvalid, sustainablePerSecond: 100 }), true);
});

Deno.test("notPassedOn() counts none twice", () => {
  const counts = { attempted: 100, correct: 60, lost: 20, givenUp: 10 };
  assertEquals(notPassedOn(counts), 70);
  assertEquals(notPassedOn({ ...counts, correct: 10, givenUp: 80 }), 100);
});

Deno.test("missesTheLowest() is of the plan's lowest rate, mayBeHigher() of what is above the highest", () => {
  const [low, high] = [{ users: 100, ratePerSecond: 100 }, { users: 200, ratePerSecond: 200 }];
  const plan = { steps: [high, low] };
  const of = (...steps: Partial<DeliveryStep>[]) => ({ steps: steps as DeliveryStep[] });
  assertEquals(missesTheLowest(of({ ...high, holds: false }), plan), false);
  assertEquals(
    missesTheLowest(of({ ...high, holds: false }, { ...low, holds: false }), plan),
    true,
  );
  assertEquals(missesTheLowest(of({ ...low, holds: false, problem: "steal" }), plan), false);
  const both = of({ ...low, holds: true }, { ...high, holds: true });
  assertEquals(mayBeHigher({ ...both, sustainablePerSecond: 200 }), true);
  assertEquals(mayBeHigher({ ...both, sustainablePerSecond: 100 }), false);
  assertEquals(mayBeHigher(both), false);
});

Deno.test("sustainedDeliveries() is nothing before all steps are measured: lower ones may come last", () => {
  const steps = [{ users: 100, ratePerSecond: 100 }, { users: 200, ratePerSecond: 200 }];
  const measured = steps.map((step) => ({ ...step, holds: true }) as DeliveryStep);
  assertEquals(sustainedDeliveries(measured.slice(1), { steps }), {});
  assertEquals(sustainedDeliveries(measured.toReversed(), { steps }), {
    sustainablePerSecond: 200,
  });
});

Deno.test("arrivalsOfAccepted() is nothing where more than one in a hundred never arrived", () => {
  const { arrivalSeconds } = step;
  assertEquals(arrivalsOfAccepted({ correct: 1_000, lost: 10, arrivalSeconds }), arrivalSeconds);
  assertEquals(arrivalsOfAccepted({ correct: 1_000, lost: 11, arrivalSeconds }), undefined);
  assertEquals(arrivalsOfAccepted({ correct: 0, lost: 0, arrivalSeconds: undefined }), undefined);
});

import { assertEquals } from "@std/assert";
import { judgeBurst, notHeld } from "./burst_judge.ts";

const right = { answered: 1_000, failures: {}, wrong: {}, problems: [], log: { lines: 0 } };
const quiet = {
  capacityCpuSeconds: 20,
  foreignCpuSeconds: 0.1,
  idleCpuSeconds: 10,
  stealCpuSeconds: 0,
  swappedBytes: 0,
};

Deno.test("judgeBurst() counts users who were turned away, and does not invalidate for them", () => {
  const burst = { ...right, answered: 800, failures: { reset: 150, "status-503": 50 } };
  assertEquals(judgeBurst(burst, 1_000, quiet, []), { reasons: [], isMachines: false });
  // What a server logs of those is its affair.
  const logged = { ...burst, log: { lines: 5_000 } };
  assertEquals(judgeBurst(logged, 1_000, quiet, []).reasons, []);
});

Deno.test("judgeBurst() does not count one wrong answer, and names its request", () => {
  const early = {
    ...right,
    answered: 999,
    wrong: { early: 1 },
    problems: [{
      check: "early",
      sent: "GET /delay/1003",
      came: "an answer after 953.0 ms",
      expected: "none before 1003 ms",
    }],
  };
  assertEquals(judgeBurst(early, 1_000, quiet, []), {
    reasons: [
      "1 of 1,000 users had a wrong answer (early); the first: GET /delay/1003 got " +
      "an answer after 953.0 ms, expected none before 1003 ms",
    ],
    isMachines: false,
  });
});

Deno.test("judgeBurst() finds a line in the log for each user, where all were answered", () => {
  assertEquals(judgeBurst({ ...right, log: { lines: 21 } }, 1_000, quiet, []).reasons, [
    "the log grew by 21 lines for 1,000 users, expected at most 20",
  ]);
});

Deno.test("judgeBurst() blames the machine and the load generator for what they broke", () => {
  const noPorts = { ...right, answered: 990, failures: { "out-of-ports": 10 } };
  assertEquals(judgeBurst(noPorts, 1_000, quiet, []), {
    reasons: ["the load generator was out of ports for 10 of 1,000 users"],
    isMachines: true,
  });
  const missing = { ...right, answered: 998 };
  assertEquals(judgeBurst(missing, 1_000, quiet, []).reasons, ["998 users came, expected 1,000"]);
});

Deno.test("judgeBurst() counts a round on a disturbed machine where every user was answered, and wants it again", () => {
  const busy = { ...quiet, foreignCpuSeconds: 4 };
  const disturbed = "other processes used 20.0 % of the machine's CPU time, expected at most 5.0 %";
  assertEquals(judgeBurst(right, 1_000, busy, []), { reasons: [], disturbed, isMachines: true });
  // A user may go without an answer because of it.
  const failed = { ...right, answered: 999, failures: { reset: 1 } };
  assertEquals(judgeBurst(failed, 1_000, busy, []), { reasons: [disturbed], isMachines: true });
  // Swapping makes memory look small, and a line for each user is the server's own.
  const swapping = judgeBurst(right, 1_000, { ...busy, swappedBytes: 1e9 }, []);
  assertEquals([swapping.reasons.length, swapping.isMachines], [2, true]);
  const logged = judgeBurst({ ...right, log: { lines: 1_000 } }, 1_000, busy, []);
  assertEquals([logged.reasons.length, logged.disturbed, logged.isMachines], [2, undefined, false]);
});

Deno.test("notHeld() wants all users at the same time, and an answer to each", () => {
  assertEquals(notHeld(10, { users: 10, peakOpen: 10, lateP99Seconds: 0 }), undefined);
  assertEquals(
    notHeld(10, { users: 10, peakOpen: 9, lateP99Seconds: 0 }),
    "the null server held 9 users at the same time and answered 10, expected 10: " +
      "the machine or the load generator cannot have so many",
  );
});

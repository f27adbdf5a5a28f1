import { assertEquals } from "@std/assert";
import { exampleBursts } from "../../testing/example_bursts.ts";
import { exampleResult } from "../../testing/example_result.ts";
import { showBursts } from "./bursts.ts";

const results = exampleBursts("20260105T000000Z-0000005");

Deno.test("showBursts() has a group for each step in order, a row for each implementation", () => {
  const { steps, plan } = showBursts(results)!;
  assertEquals(steps.map(({ label, rows }) => [label, rows.map(({ name }) => name)]), [
    ["1,000 users, 1 s", ["Steady", "Queueing", "Cheating"]],
    ["10,000 users, 1 s", ["Steady", "Queueing", "Cheating"]],
    ["30,000 users, 1 s", ["Steady", "Queueing", "Cheating"]],
    ["10,000 users, 5 s", ["Steady", "Queueing", "Cheating"]],
  ]);
  assertEquals(plan.rounds, 3);
});

Deno.test("showBursts() shows figures with intervals over rounds, or why there are none", () => {
  const [, ten, thirty] = showBursts(results)!.steps;
  const [steady, queueing, cheating] = ten!.rows;
  assertEquals([steady!.answered, steady!.failedShare, steady!.failures], [
    "10,000",
    "0.0 %",
    "none",
  ]);
  assertEquals(steady!.meanSeconds, "1.11 (1.09–1.13)");
  assertEquals([queueing!.answered, queueing!.failedShare, queueing!.failures], [
    "8,282",
    "17.2 % (16.9 %–17.4 %)",
    "5,154 reset",
  ]);
  assertEquals([queueing!.queueOverflows, steady!.queueOverflows], ["2,100", "0"]);
  assertEquals([queueing!.peakThreads, queueing!.peakEstablished], ["230", "8,292"]);
  assertEquals(cheating, {
    name: "Cheating",
    missing: "3 of 10,000 users had a wrong answer (early)",
  });
  assertEquals(
    thirty!.rows.map(({ missing }) => missing),
    Array(3).fill("30,000 users need 30,256 descriptors, the limit is 20,000"),
  );
});

Deno.test("showBursts() finds who answered everybody, of the most users that there are figures for", () => {
  assertEquals(
    showBursts(results)!.finding,
    "Of 10,000 users who came at once and asked for a delay of 1 s, Steady answered every one; Queueing left 17.2 % (95 %: 16.9 %–17.4 %) without an answer",
  );
  assertEquals(showBursts(results.slice(2))!.finding, "No burst was valid");
  const [steady] = results;
  const steps = steady!.bursts!.steps.map((step) =>
    step.figures === undefined || step.delaySeconds === 1
      ? step
      : { ...step, figures: { ...step.figures, failedShare: { mean: 0.004 } } }
  );
  assertEquals(
    showBursts([{ ...steady!, bursts: { steps } }])!.finding,
    "Of 10,000 users who came at once and asked for a delay of 1 s, Steady answered every one; " +
      "Steady left up to 0.40 % of another burst",
  );
  assertEquals(showBursts(results)!.kernelSettings, [
    "net.core.somaxconn 4096, net.ipv4.tcp_synack_retries 5",
  ]);
  assertEquals(showBursts([exampleResult()]), undefined);
});

import { assertEquals, assertStringIncludes } from "@std/assert";
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
    "17.2 % (16.8 %–17.6 %)",
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

Deno.test("showBursts() says how late the null server was, from the least to the most of what is known", () => {
  type Late = [mean: number | undefined, p99: number, disturbed?: string];
  const late: Late[] = [[0.1, 0.25], [0.13, 0.42]];
  const floorOf = (late: Late[]) =>
    showBursts(late.map(([lateMeanSeconds, lateP99Seconds, disturbed], index) => {
      const { bursts, ...result } = results[index]!;
      const steps = bursts!.steps.map((step) =>
        step.nullServer === undefined ? step : {
          ...step,
          nullServer: { ...step.nullServer, lateMeanSeconds, lateP99Seconds, disturbed },
        }
      );
      return { ...result, bursts: { steps } };
    }))!.steps.map(({ floor }) => floor);
  const all = "mean 0.10–0.13 s, p99 0.25–0.42 s";
  assertEquals(floorOf(late), [all, all, undefined, all]);
  const [first] = floorOf([[undefined, 0.25], [undefined, 0.25]]);
  assertEquals(first, "p99 0.25 s");
  // A disturbed one would make a server look better that was measured at rest.
  assertEquals(floorOf([...late, [0.5, 0.9, "steal"]]), floorOf(late));
  assertEquals(floorOf([[0.5, 0.9, "steal"]])[0], undefined);
});

Deno.test("showBursts() names whoever answered everybody of the most users, and not of others", () => {
  const leaving = (index: number, share: (delaySeconds: number) => number) => {
    const { bursts, ...result } = results[index]!;
    const steps = bursts!.steps.map((step) =>
      step.figures === undefined
        ? step
        : { ...step, figures: { ...step.figures, failedShare: { mean: share(step.delaySeconds) } } }
    );
    return { ...result, bursts: { steps } };
  };
  const finding = (a: number, b: number, most = 0) =>
    showBursts([
      leaving(0, (delay) => delay === 1 ? most : a),
      leaving(1, (delay) => delay === 1 ? 0 : b),
    ])!.finding.replace("Of 10,000 users who came at once and asked for a delay of 1 s, ", "");
  assertEquals(finding(0, 0), "Steady and Queueing answered every one");
  assertEquals(
    finding(0, 0.004),
    "Steady and Queueing answered every one; in other bursts, Queueing left up to 0.40 %",
  );
  assertEquals(
    finding(0.00002, 0.0095),
    "Steady and Queueing answered every one; in other bursts, Queueing left up to 0.95 %",
  );
  assertEquals(
    finding(0.5, 0, 0.00002),
    "Steady and Queueing answered all but less than 0.01 %; in other bursts, Steady left up to 50.0 %",
  );
  const both = showBursts([leaving(0, () => 0.00002), leaving(1, () => 0.00003)])!.finding;
  assertStringIncludes(both, "1 s, Steady and Queueing answered all but less than 0.01 %");
});

Deno.test("showBursts() finds who answered everybody, of the most users that there are figures for", () => {
  assertEquals(
    showBursts(results)!.finding,
    "Of 10,000 users who came at once and asked for a delay of 1 s, Steady answered every one; Queueing left 17.2 % (95 %: 16.8 %–17.6 %) without an answer",
  );
  assertEquals(showBursts(results.slice(2))!.finding, "No burst was valid");
  assertEquals(showBursts(results)!.kernelSettings, [
    "net.core.somaxconn 4096, net.ipv4.tcp_synack_retries 5",
  ]);
  assertEquals(showBursts([exampleResult()]), undefined);
});

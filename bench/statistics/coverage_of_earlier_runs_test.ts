/**
 * Whether the interval of a run over earlier ones holds 1 where nothing changed, by simulation; seeded, as in
 * `coverage_test.ts`.
 */
import { assert } from "@std/assert";
import { ratioToEarlierRuns, type RunMachines } from "./earlier_runs.ts";
import { createRandom } from "../lib/random.ts";
import { draw, normal } from "../testing/noise.ts";
import { exampleRunRatio } from "../testing/run_ratio.ts";

const kinds = [["first", 0.6], ["second", 1]] as const;

/** Measures a run on machines of two kinds; `shared` and `own` are how far runs, and machines of one run, deviate. */
function measure(
  random: () => number,
  { machines, shared, own }: { machines: number; shared: number; own: number },
): RunMachines {
  const ofRun = shared * normal(random);
  return draw(machines, () => {
    const which = random();
    const [kind] = kinds.find(([, share]) => which < share)!;
    return exampleRunRatio(ofRun + own * normal(random), 0.02, kind);
  });
}

Deno.test("ratioToEarlierRuns() holds 1 as often as it states, whether runs differ, their machines or both", () => {
  for (const [shared, own] of [[0.047, 0.03], [0, 0.047], [0.047, 0.005]] as const) {
    for (const machines of [1, 3]) {
      for (const runs of [3, 6, 20]) {
        const random = createRandom(runs);
        let [held, all] = [0, 0];
        while (all < 600) {
          const plan = { machines, shared, own };
          const now = [measure(random, plan)];
          const change = ratioToEarlierRuns(now, draw(runs, () => measure(random, plan)));
          if (change === undefined) continue;
          all++;
          if (change.low <= 1 && change.high >= 1) held++;
        }
        const share = held / all;
        assert(share > 0.95 - 4 * Math.sqrt(0.95 * 0.05 / all), `${runs} runs: ${share}`);
      }
    }
  }
});

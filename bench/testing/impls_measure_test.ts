import { assertAlmostEquals, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { bench, type BenchRequest } from "../cli/bench.ts";
import { discoverImpl, listImplIds } from "../impl/discover.ts";
import { foldersOf } from "../cli/folders.ts";
import { reasonToRepeat } from "../measure/judge.ts";
import { silent } from "../lib/report.ts";
import { lastRepetition } from "../results/outcome.ts";
import { findToolchain } from "../impl/toolchains.ts";

Deno.test("every implementation meets the contract and gives a valid level", async (t) => {
  const scratch = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const folders = { ...foldersOf(), localRuns: join(scratch, "runs") };
  const signal = new AbortController().signal;
  try {
    for (const implId of await listImplIds(folders.impls)) {
      const impl = await discoverImpl(folders.impls, implId);
      // Only who measures an implementation needs its toolchain.
      const ignore = !await findToolchain(impl).then(() => true, () => false);
      await t.step({
        name: implId,
        ignore,
        fn: async () => {
          // Judged by its answers only, and not by what else this machine does.
          const request: BenchRequest = { implId, levels: [50], requests: 1_000 };
          let text = "";
          const print = (printed: string) => void (text += printed);
          const context = { folders, report: silent, signal, scratch, print };
          // spring-webflux leaves about one request in 10,000 without an answer. That is for results to
          // show; here it must not stop every other change, and three such loads are unlikely.
          let [result] = await bench(request, context);
          for (let attempt = 1; attempt < 3 && /timeout|timed out/.test(text); attempt++) {
            text = "";
            [result] = await bench(request, context);
          }
          assertEquals(result?.verification?.problems, [], text);
          const repetition = lastRepetition(result!.levels[0]!);
          const { validity, observation } = repetition;
          if (reasonToRepeat(repetition) === undefined) {
            assertEquals(validity, { valid: true }, text);
          }
          const failed = Object.values(observation!.failures).reduce(
            (sum, count) => sum + count,
            0,
          );
          assertEquals(observation!.correct + failed, observation!.attempted);
          // A pool that grows during the load sends a statement or two for each new connection.
          assertAlmostEquals(observation!.queries!.perRequest, 1, 0.02);
        },
      });
    }
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
});

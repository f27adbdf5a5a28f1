import { assertEquals } from "@std/assert";
import { chooseBefore } from "./choose_before.ts";
import { comparedRunOf } from "../../results/compared_run.ts";
import { exampleBursts } from "../../testing/example_bursts.ts";
import { exampleRun } from "../../testing/example_run.ts";
import type { Result } from "../../results/result_schema.ts";

const now = exampleRun("20260112T000000Z-0000006");

/** Makes an earlier run of some implementations, changed. */
function earlier(
  day: number,
  ids: string[],
  change: (result: Result) => Partial<Result> = () => ({}),
) {
  const results = exampleRun(`2026010${day}T000000Z-0000005`);
  return results.filter(({ impl }) => ids.includes(impl.id))
    .map((result) => ({ ...result, ...change(result) }));
}

function choice(...runs: Result[][]): string {
  const chosen = chooseBefore(comparedRunOf(now), runs.map(comparedRunOf));
  return "missing" in chosen ? chosen.missing : chosen.value.runId;
}

const all = ["even", "freezing", "swift", "tweaked"];
const onQuick = ({ plan }: Result) => ({ plan: { ...plan, profile: "quick" as const } });

Deno.test("chooseBefore() takes the newest run under the same conditions with half of the implementations", () => {
  assertEquals(choice(earlier(3, all), earlier(2, all)), "20260103T000000Z-0000005");
  assertEquals(
    choice(earlier(3, all, onQuick), earlier(2, ["swift"]), earlier(1, ["swift", "even"])),
    "20260101T000000Z-0000005",
  );
});

Deno.test("chooseBefore() takes the newest with any of them where none has half", () => {
  assertEquals(
    choice(earlier(3, ["tweaked"], onQuick), earlier(2, ["swift"]), earlier(1, ["even"])),
    "20260102T000000Z-0000005",
  );
});

Deno.test("chooseBefore() says why there is none", () => {
  const alone = now.map(({ comparison: _, control: __, ...result }) => result);
  assertEquals(chooseBefore(comparedRunOf(alone), [comparedRunOf(now)]), {
    missing: "this run was not compared with the control",
  });
  assertEquals(choice(), "there is no earlier run");
  assertEquals(
    choice(earlier(3, all, onQuick)),
    "Even is also in run 20260103T000000Z-0000005, but the profile is custom, and was quick",
  );
  // A run of the same profile is nearer, even an older one.
  assertEquals(
    choice(
      earlier(3, all, onQuick),
      earlier(2, all, ({ machine }) => ({ machine: { ...machine, cpuModel: "Other" } })),
    ),
    "Even is also in run 20260102T000000Z-0000005, but the processor is Example CPU, and was Other",
  );
  assertEquals(
    choice(earlier(3, all, () => ({ control: undefined, comparison: undefined }))),
    "Even is also in run 20260103T000000Z-0000005, but in the earlier run it was not compared with the control",
  );
  const other = exampleRun("20260103T000000Z-0000005").slice(0, 1)
    .map((result) => ({ ...result, impl: { ...result.impl, id: "other" } }));
  assertEquals(choice(other), "no earlier run has any of its implementations");
});

Deno.test("chooseBefore() compares no run of a scenario without a control with another", () => {
  const [older, newer] = ["20260101T000000Z-0000005", "20260102T000000Z-0000005"].map((runId) =>
    comparedRunOf(exampleBursts(runId))
  );
  assertEquals(chooseBefore(newer!, [older!]), {
    missing: "the figures of its scenario have no ratio to the control",
  });
});

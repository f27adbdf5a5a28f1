/** The comment on scenarios without levels: bursts and deliveries, alone and beside those of the base. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { exampleBursts } from "../../testing/example_bursts.ts";
import { exampleDeliveries } from "../../testing/example_deliveries.ts";
import { render, screenOf } from "../../testing/rendered_comment.ts";
import type { Result } from "../../results/result_schema.ts";

const runId = "20260105T000000Z-0000005";
const baseCommit = "b".repeat(40);

/** Returns a result as that of the base of another one. */
function baseOf(head: Result, base: Result): Result {
  const { id, name } = head.impl;
  return {
    ...base,
    runId: "20260105T010000Z-0000005",
    impl: { ...base.impl, id, name },
    provenance: { ...head.provenance, implCommit: baseCommit },
  };
}

Deno.test("renderComment() has bursts in a table, and what is invalid with its reason", () => {
  const [, queueing, cheating] = exampleBursts(runId);
  const text = render({ "queueing.json": queueing, "cheating.json": cheating });
  assertStringIncludes(
    text,
    "| users | delay s | answered | failed | mean of answered s | p99 of all s | threads | connected | established | memory MiB |\n" +
      "| ---: | ---: | ---: | :--- | :--- | :--- | ---: | ---: | ---: | ---: |\n",
  );
  assertStringIncludes(
    text,
    "| 10,000 | 1 | 8,282 | 17.2 % (16.8 %–17.6 %) | 21.2 (21.1–21.3) | – | 230 | 10,000 | 8,292 | 50.0 |",
  );
  assertStringIncludes(
    text,
    "| 30,000 | 1 | `30,000 users need 30,256 descriptors, the limit is 20,000` |  |",
  );
  assertStringIncludes(
    text,
    "**invalid** with 10,000 users at once, 1 s; **invalid** with 1,000 users at once, 1 s",
  );
  assertStringIncludes(
    text,
    "invalid with 10,000 users at once, 1 s: `3 of 10,000 users had a wrong answer",
  );
  assertStringIncludes(
    screenOf(text),
    "- `queueing`, `delay`: measured, answered 8,282 of 10,000 users at once, 1 s\n",
  );
});

Deno.test("renderComment() has bursts of the head above those of its base, without a verdict", () => {
  const [steady, queueing] = exampleBursts(runId) as [Result, Result];
  const base = { ...baseOf(steady, queueing), status: "incomplete" };
  const steps = queueing.bursts!.steps.filter(({ delaySeconds }) => delaySeconds === 1);
  base.bursts = { steps };
  const text = render({ "a.json": base, "b.json": steady });
  assertStringIncludes(
    screenOf(text),
    "## Backbench: 1 measured\n\n- `steady`, `delay`: measured, answered 10,000 of 10,000 users at once, 1 s; " +
      "its base answered 8,282 of 10,000 users at once, 1 s; no verdict\n",
  );
  assertStringIncludes(
    text,
    "| 10,000 | 1 | head | 10,000 | 0.0 % | 1.11 (1.09–1.13) | 2.11 (2.06–2.16) | 4 | 10,000 | 10,000 | 50.0 |\n" +
      "|  |  | base | 8,282 | 17.2 % (16.8 %–17.6 %) | 21.2 (21.1–21.3) | – | 230 | 10,000 | 8,292 | 50.0 |\n",
  );
  assertStringIncludes(text, "| 10,000 | 5 | head | 10,000 |");
  assertStringIncludes(text, "|  |  | base | `not measured` |");
  assertStringIncludes(text, `Base: the implementation at ${baseCommit.slice(0, 7)}, measured`);
  assertEquals(/faster|slower|no difference/.test(text), false);
});

Deno.test("renderComment() has deliveries in a table, with what was lost and the highest sustainable rate", () => {
  const [, pooled, doubling] = exampleDeliveries(runId);
  const text = render({ "pooled.json": pooled, "doubling.json": doubling });
  assertStringIncludes(
    text,
    "| users | offered/s | accepted | lost | arrived/s | accept p99 ms | arrival p99 s | threads | memory MiB |\n",
  );
  assertStringIncludes(
    text,
    "| 1,600 | 2,667 | 160,020 | 40,020 (25.0 %) | 2,000 | 4.00 | – | 12 | 50.0 |\n\n" +
      "Highest sustainable rate: 167 notifications a second. One process at each rate, so no figure has an interval.",
  );
  assertStringIncludes(
    screenOf(text),
    "- `pooled`, `notify`: measured, passes on 167 notifications a second in time\n",
  );
  assertStringIncludes(screenOf(text), "**invalid** at 167 notifications a second");
  assertStringIncludes(
    screenOf(text),
    "invalid at 167 notifications a second: `POST /notify/1 led to 2 calls of it, expected one`",
  );
});

Deno.test("renderComment() has deliveries of the head above those of its base, without a verdict", () => {
  const [steady, pooled] = exampleDeliveries(runId) as [Result, Result];
  const text = render({ "head.json": pooled, "base.json": baseOf(pooled, steady) });
  assertStringIncludes(
    text,
    "| 1,600 | 2,667 | head | 160,020 | 40,020 (25.0 %) | 2,000 | 4.00 | – | 12 | 50.0 |\n" +
      "|  |  | base | 160,020 | 0 | 2,667 | 4.00 | 0.00 | 12 | 50.0 |\n",
  );
  assertStringIncludes(
    text,
    "Highest sustainable rate: 167 notifications a second, of the base at least 2,667 notifications a second.",
  );
  assertEquals(/faster|slower|no difference/.test(text), false);
});

Deno.test("renderComment() shows the base of nothing by itself, and takes only that of the same commit", () => {
  const [steady, queueing] = exampleBursts(runId) as [Result, Result];
  const base = baseOf(queueing, steady);
  assertStringIncludes(screenOf(render({ "base.json": base })), "## Backbench: 1 measured");
  const other = { ...base, provenance: { ...base.provenance, commit: "c".repeat(40) } };
  const text = render({ "head.json": queueing, "base.json": other });
  assert(!text.includes("| head |"), text);
  assertStringIncludes(screenOf(text), "## Backbench: 2 measured");
});

import { assertEquals } from "@std/assert";
import { historyFinding } from "./finding.ts";

const change = [{ what: "processor" as const, before: "One CPU", now: "Other CPU" }];

function entry(
  estimate: number | undefined,
  options: { qualifier?: "at least" | "at most"; isFirst?: boolean } = {},
) {
  const ratio = estimate === undefined ? undefined : {
    estimate,
    low: estimate - 0.1,
    high: estimate + 0.1,
    confidence: 0.95,
    rounds: 8,
    method: "t" as const,
  };
  return {
    conditionChanges: options.isFirst ? change : [],
    levels: [{ connections: 50, groups: [], qualifier: options.qualifier, ratio }],
  };
}

Deno.test("historyFinding() has the range of the newest runs that compare", () => {
  const entries = [entry(0.8), entry(0.9, { isFirst: true }), entry(0.1)];
  assertEquals(
    historyFinding(entries, 50),
    "0.800 to 0.900 times the control’s warm goodput in the newest 2 comparable runs",
  );
  assertEquals(
    historyFinding(entries.slice(0, 1), 50),
    "0.800 times the control’s warm goodput in the newest run",
  );
  assertEquals(historyFinding(entries, 10), "No ratio since the figures became comparable");
});

Deno.test("historyFinding() says at least or at most where the load generator limited one of the two in any run", () => {
  const [least, most] = (["at least", "at most"] as const).map((qualifier) =>
    entry(0.9, { qualifier })
  );
  for (
    const [entries, range] of [
      [[entry(0.8), least!], "At least 0.800"],
      // Of a bound, the end of the interval that is known.
      [[entry(0.85), least!], "At least 0.800"],
      [[entry(0.8), most!], "At most 1.00"],
      [[entry(0.8), least!, most!], "At least or at most 0.800 to 1.00"],
    ] as const
  ) {
    assertEquals(
      historyFinding(entries, 50),
      `${range} times the control’s warm goodput in the newest ${entries.length} comparable runs`,
    );
  }
});

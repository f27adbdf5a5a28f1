import { assertEquals } from "@std/assert";
import { runFinding } from "./finding.ts";
import type { Headline, HeadlineEntry } from "../headline.ts";

const entry: HeadlineEntry = {
  ...{ id: "go", name: "Go", groups: [], isGeneratorBound: false, runId: "" },
  ...{ tiedWith: [], fasterThan: [], slowerThan: [], words: "" },
};

function headline(changes: Partial<Headline> = {}): Headline {
  return {
    ...{ id: "20260105T000000Z-0000005", startedAt: "2026-01-05T00:00:00.000Z" },
    ...{
      scenario: "hello",
      profile: "full",
      marks: [],
      machines: [],
      runIds: [],
      failed: [],
    },
    ...{ connections: 50, ratios: { count: 0 }, runs: 1, interval: "interval of this run" },
    classes: [{ class: "standard", sentences: [], entries: [entry] }],
    ...changes,
  };
}

const said = (loadsFinding: string) => ({ answer: "Go leads.", loadsFinding });

Deno.test("runFinding() says who leads, else what cold loads show, else who failed", () => {
  const compared = headline({
    classes: [
      { class: "tuned", sentences: ["Go is faster than Rust"], entries: [entry] },
    ],
  });
  assertEquals(
    runFinding(compared, said("cold")),
    "At 50 connections, tuned: Go is faster than Rust",
  );
  assertEquals(
    runFinding(headline(), said("Go reached 10 per second, cold")),
    "Go reached 10 per second, cold",
  );
  assertEquals(runFinding(headline({ failed: ["go"] }), said("No level was valid")), "Go failed");
  const both = [entry, { ...entry, id: "rust", name: "Rust" }];
  const failed = headline({
    failed: ["go", "rust"],
    classes: [{ class: "standard", sentences: [], entries: both }],
  });
  assertEquals(runFinding(failed, said("No level was valid")), "All 2 implementations failed");
  const names = Array.from({ length: 20 }, (_, index) => `Go ${index}`).join(", ");
  const many = headline({
    classes: [{ class: "standard", sentences: [`Go is faster than ${names}`], entries: [entry] }],
  });
  assertEquals(runFinding(many, said("cold")), "At 50 connections, Go leads");
});

import { assertEquals } from "@std/assert";
import { changesFinding } from "./finding.ts";

function changed(name: string, ...verdicts: [connections: number, verdict: string][]) {
  const levels = verdicts.map(([connections, verdict]) => ({ connections, verdict }));
  return { name, state: "compared", levels };
}

Deno.test("changesFinding() names who became faster or slower, and where", () => {
  assertEquals(
    changesFinding([
      changed("A", [10, "faster"], [50, "tied"], [100, "faster"], [300, "slower"]),
      changed("B", [10, "tied"]),
      { ...changed("C", [10, "faster"]), state: "only-now" },
    ]),
    "Compared with the runs before, A is faster at 10 and 100 connections, slower at 300 connections",
  );
});

Deno.test("changesFinding() counts where a list would be long, and says where nothing was measurable", () => {
  const all = ["A", "B", "C", "D"].map((name) => changed(name, [10, "slower"]));
  assertEquals(
    changesFinding([...all, changed("E", [10, "tied"])]),
    "4 of 5 implementations differ from the runs before",
  );
  assertEquals(
    changesFinding([changed("E", [10, "tied"])]),
    "No measurable difference from the runs before",
  );
});

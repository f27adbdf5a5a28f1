import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { CommanderError } from "commander";
import { silent } from "../lib/report.ts";
import { scenarioIds } from "../scenario/ids.ts";
import { makePlace } from "../testing/place.ts";
import { showOverview } from "./overview.ts";

Deno.test("showOverview() lists implementations, scenarios and commands, and ends as wrong usage", async () => {
  await using place = await makePlace();
  for (const id of ["honest", "two-queries"]) await place.addOwn(id, { scenarios: ["jwt-mysql"] });
  await place.addOwn("broken", { class: "fast" });
  let text = "";
  const context = {
    folders: place.folders,
    report: silent,
    signal: new AbortController().signal,
    scratch: place.temporary,
    print: (printed: string) => void (text += printed),
  };
  const error = await assertRejects(() => showOverview("verify", context), CommanderError);
  assertEquals(error.exitCode, 2);
  assertStringIncludes(text, "just verify: no implementation is named\n");
  assertStringIncludes(
    text,
    "\n  honest       Honest  jwt-mysql\n  two-queries  Honest  jwt-mysql\n",
  );
  assertStringIncludes(text, '\n  broken       Cannot parse "');
  for (const id of scenarioIds) assertStringIncludes(text, `\n  ${id} `);
  for (const command of ["bench broken", "verify broken", "compare broken honest"]) {
    assertStringIncludes(text, `\n  just ${command} `);
  }
});

import { assert, assertEquals } from "@std/assert";
import { stripAnsiCode } from "@std/fmt/colors";
import { foldersOf } from "./folders.ts";
import { describeScenarios, list } from "./list.ts";
import { listImplIds } from "../impl/discover.ts";
import { scenarioIds } from "../scenario/ids.ts";

Deno.test("list() has a line for each implementation, of at most 100 columns", async () => {
  const { impls } = foldersOf();
  const { text, isGood } = await list(impls);
  const [head, ...lines]: string[] = stripAnsiCode(text).split("\n");
  assertEquals(isGood, true, text);
  assertEquals(head!.split(/ +/), ["id", "name", "scenarios"]);
  assertEquals(lines.map((line) => line.split(" ")[0]), await listImplIds(impls));
  for (const line of lines) assert(line.length <= 100, line);
});

Deno.test("describeScenarios() names the fewer: what is listed, or what is not", () => {
  const [first, second, ...others] = scenarioIds;
  assertEquals(describeScenarios(scenarioIds), "all");
  assertEquals(describeScenarios([first, ...others]), `all but ${second}`);
  assertEquals(describeScenarios([first]), first);
});

import { assertEquals } from "@std/assert";
import { stripAnsiCode } from "@std/fmt/colors";
import { alignNames, describeVerdict } from "./doctor.ts";

Deno.test("alignNames() gives the details one column, whatever the longest name is", () => {
  const text = alignNames([
    "Tools",
    { isFound: true, name: "git", detail: "2.39.5" },
    { isFound: false, name: "spring-virtual-threads", detail: "java was not found" },
    "    Install JDK 25",
  ]);
  assertEquals(stripAnsiCode(text).split("\n"), [
    "Tools",
    "  found    git                     2.39.5",
    "  missing  spring-virtual-threads  java was not found",
    "    Install JDK 25",
  ]);
});

Deno.test("describeVerdict() says whether anything is left to install", () => {
  const verdict = (...[found]: Parameters<typeof describeVerdict>) =>
    stripAnsiCode(describeVerdict(found));
  assertEquals(
    verdict({ database: "packages", unusable: [], lacking: [] }),
    "Ready: MySQL comes from packages. What is marked missing above is optional, or is installed when it is needed.",
  );
  assertEquals(
    verdict({ unusable: ["go", "python"], lacking: ["cc"] }),
    "Not everything is here, expected cc, what go, python require, a database: " +
      "the lines above say what to install.",
  );
});

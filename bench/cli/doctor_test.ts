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

Deno.test("describeVerdict() says what can be measured, and what is left to install", () => {
  const verdict = (...[found]: Parameters<typeof describeVerdict>) => {
    const { text, isGood } = describeVerdict(found);
    return [stripAnsiCode(text), isGood];
  };
  assertEquals(verdict({ database: "packages", usable: ["deno"], unusable: [], lacking: [] }), [
    "Ready: MySQL comes from packages. What is marked missing above is optional, or is installed when it is needed.",
    true,
  ]);
  const one = { usable: ["deno"], unusable: ["go", "python"] };
  assertEquals(verdict({ ...one, database: "docker", lacking: [] }), [
    "Ready to measure deno: MySQL comes from docker. The lines above say what go, python require.",
    true,
  ]);
  const expected = (what: string) => [
    `Not everything is here, expected ${what}: the lines above say what to install.`,
    false,
  ];
  assertEquals(
    verdict({ ...one, lacking: ["cc"] }),
    expected("cc, what go, python require, a database"),
  );
  assertEquals(
    verdict({ usable: [], unusable: ["go"], database: "docker", lacking: [] }),
    expected("what go require"),
  );
});

import { assertEquals } from "@std/assert";
import { stripAnsiCode } from "@std/fmt/colors";
import { alignNames } from "./doctor.ts";

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

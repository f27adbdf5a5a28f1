import { assertEquals } from "@std/assert";
import { startWords } from "./impl.ts";

Deno.test("startWords() names what a command may start: of options and variables what they are set to, of a shell's text each word", () => {
  const java = ["java", "-XX:AOTCache=target/app.aot", "-jar", "target/backend.jar"];
  assertEquals(startWords({ start: java }), [
    "java",
    "target/app.aot",
    "-jar",
    "target/backend.jar",
  ]);
  const shell = ["env", "RELEASE_TMP=/tmp", "sh", "-c", "exec ./backend --port  $PORT"];
  assertEquals(startWords({ start: shell }), [
    ...["env", "/tmp", "sh", "-c"],
    ...["exec", "./backend", "--port", "$PORT"],
  ]);
});

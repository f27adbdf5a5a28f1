import { assertEquals } from "@std/assert";
import { parseRange } from "@std/semver";
import { ask } from "./ecosystem.ts";

/** Asks a shell that runs this script. */
function found(script: string) {
  const find = ask(["sh", "-c", script], /^tool ([\d.]+)/m);
  const env = { PATH: Deno.env.get("PATH") ?? "" };
  return find(parseRange(">=26"), { folder: Deno.cwd(), env });
}

Deno.test("ask() finds a version, wherever the program prints it", async () => {
  assertEquals(await found("echo tool 26.1.0"), { version: "26.1.0" });
  assertEquals(await found("echo tool 26.1.0 >&2"), { version: "26.1.0" });
  assertEquals(await found("echo tool 25.9.9"), {
    version: undefined,
    whatIs: "its version is 25.9.9",
  });
});

Deno.test("ask() says what a version lacks that is none of three numbers, and what was said without one", async () => {
  assertEquals(await found("echo tool 26.1"), {
    version: undefined,
    whatIs: "its version is 26.1",
    should: "three numbers",
    remedy: "Complete it in its file in bench/impl/ecosystems/.",
  });
  assertEquals(await found("echo broken >&2"), {
    version: undefined,
    whatIs: "`sh -c echo broken >&2` names no version",
    said: "broken",
  });
});

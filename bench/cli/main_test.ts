import { assertEquals, assertMatch } from "@std/assert";
import { makePlace, runCommandLine } from "../testing/place.ts";

Deno.test("main() runs in a process of its own, and leaves nothing behind where it shows help or fails", async () => {
  await using place = await makePlace();
  await place.add("honest");
  for (
    const [line, code, stdout, stderr] of [
      ["--help", 0, /^Usage: just /, /^$/],
      ["bench --help", 0, /^Usage: just bench /, /^$/],
      ["bench", 2, /^just bench: no implementation is named\n/, /^$/],
      ["noise", 2, /^just noise: no implementation is named\n/, /^$/],
      ["bnech", 2, /^$/, /^error: unknown command 'bnech'\n/],
      ["bench honset", 1, /^$/, /^Cannot find implementation "honset": /],
    ] as const
  ) {
    const ended = await runCommandLine(place, line.split(" "));
    assertEquals([ended.code, ended.stages], [code, []], line);
    assertMatch(ended.stdout, stdout);
    assertMatch(ended.stderr, stderr);
  }
  assertEquals(await place.leftovers(), []);
});

Deno.test("main() prints no escape sequence where nobody looks at a terminal", async () => {
  await using place = await makePlace();
  await place.add("honest");
  const env = { NO_COLOR: "" };
  const listed = await runCommandLine(place, ["list"], { env });
  const failed = await runCommandLine(place, ["bench", "honset"], { env });
  assertEquals(listed.code, 0);
  assertMatch(listed.stdout, /honest/);
  // deno-lint-ignore no-control-regex -- what must not be there is a control character
  const escape = /\x1b/;
  for (const text of [listed.stdout, listed.stderr, failed.stdout, failed.stderr]) {
    assertEquals(escape.test(text), false, text);
  }
});

Deno.test("main() says so where there is no folder for temporary files", async () => {
  await using place = await makePlace();
  const env = { TMPDIR: `${place.temporary}/nowhere` };
  const { code, stdout, stderr } = await runCommandLine(place, ["list"], { env });
  assertEquals([code, stdout], [1, ""]);
  assertMatch(
    stderr,
    /^Cannot create a temporary folder: No such file .*, expected TMPDIR to name /,
  );
});

Deno.test("main() refuses a wrong DATABASE_URL before it builds anything", async () => {
  await using place = await makePlace();
  await place.add("honest");
  const env = { DATABASE_URL: "mysql://user:password@127.0.0.1:1/name" };
  for (
    const line of [
      ...["bench honest smoke", "verify honest", "compare honest control smoke"],
      ...["noise honest smoke", "setup"],
    ]
  ) {
    const { code, stdout, stderr, stages } = await runCommandLine(place, line.split(" "), { env });
    assertEquals([code, stdout, stages], [1, "", []], line);
    assertMatch(stderr, /^Cannot connect to "127\.0\.0\.1:1\/name" of DATABASE_URL: /m);
    assertEquals(/^(?:Building|Fetching) /m.test(stderr), false, stderr);
  }
  assertEquals(await place.leftovers(), []);
});

import { assertArrayIncludes, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Ended, makePlace, type Place, runCommandLine } from "../testing/place.ts";

/** What is wrong with a command line: its words, and what the message says. */
const misuses: [args: string[], says: string][] = [
  [["bnech"], "unknown command 'bnech'"],
  [["bench", "honest", "--request", "5"], "unknown option '--request'"],
  [["bench"], "no implementation is named, expected one, or --all"],
  [["bench", "honest", "--all"], '"honest" and --all are given, expected one of them'],
  [["bench", "honest", "fast"], 'profile is "fast", expected one of smoke, quick, full'],
  [["bench", "honest", "smoke", "more"], "too many arguments"],
  [
    ["bench", "honest", "--run-id", "mine"],
    'It is "mine", expected a UTC start and a short commit',
  ],
  [["bench", "honest", "--levels", "0"], "It is 0, expected a whole number from 1."],
  [["bench", "honest", "--levels", "ten"], 'It is "ten", expected a whole number'],
  [["bench", "honest", "--levels", "10,"], 'It is "", expected a whole number'],
  [["bench", "honest", "--requests", "-5"], 'It is "-5", expected a whole number'],
  [["bench", "honest", "--requests", "0"], "It is 0, expected a whole number from 1."],
  [["bench", "honest", "--requests", "1.5"], 'It is "1.5", expected a whole number'],
  [["bench", "honest", "--warm-up", "-1"], 'It is "-1", expected a whole number'],
  [["bench", "honest", "--pool", "0"], "It is 0, expected a whole number from 1."],
  [
    ["bench", "honest", "--requests", "200"],
    "200 requests for 300 connections, expected at least one for each",
  ],
  [
    ["bench", "honest", "smoke", "--levels", "10,2001"],
    "2000 requests for 2001 connections, expected at least one for each",
  ],
  [
    ["bench", "--resume", "20260101T000000Z-0000000", "smoke"],
    "a profile, scenario or count is given with --resume, which takes those of its run",
  ],
  [["verify"], "missing required argument 'impl'"],
  [["site", "--port", "web"], 'It is "web", expected a whole number'],
];

/** Runs command lines, a few at once. */
async function runEach(place: Place, lines: string[][]): Promise<Ended[]> {
  const results: Ended[] = [];
  for (let index = 0; index < lines.length; index += 4) {
    const some = lines.slice(index, index + 4);
    results.push(...await Promise.all(some.map((args) => runCommandLine(place, args))));
  }
  return results;
}

Deno.test("main() shows help for the program and for each command", async () => {
  await using place = await makePlace();
  const [program] = await runEach(place, [["--help"]]);
  assertEquals([program!.code, program!.stderr], [0, ""]);
  const listed = [...program!.stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name!);
  const commands = listed.filter((name) => name !== "help");
  assertArrayIncludes(commands, ["bench", "verify", "list", "doctor", "publish", "site"]);
  const results = await runEach(place, commands.map((name) => [name, "--help"]));
  for (const [index, { code, stdout, stderr }] of results.entries()) {
    assertEquals([code, stderr], [0, ""]);
    assertStringIncludes(stdout, `Usage: just ${commands[index]} `);
  }
});

Deno.test("main() ends with 2 and says what is wrong with its arguments", async () => {
  await using place = await makePlace();
  await place.add("honest");
  const results = await runEach(place, misuses.map(([args]) => args));
  for (const [index, [args, says]] of misuses.entries()) {
    const { code, stdout, stderr, stages } = results[index]!;
    assertEquals({ code, stdout, stages }, { code: 2, stdout: "", stages: [] }, args.join(" "));
    assertStringIncludes(stderr, says);
    assertStringIncludes(stderr, "Run it with --help to see how it is used.");
  }
  assertEquals(await place.leftovers(), []);
});

Deno.test("main() ends with 1 and suggests the nearest name of an unknown implementation", async () => {
  await using place = await makePlace();
  await place.add("honest", "two-queries");
  const results = await runEach(place, [["bench", "honset", "smoke"], ["verify", "honset"]]);
  for (const { code, stdout, stderr } of results) {
    assertEquals([code, stdout], [1, ""]);
    assertEquals(
      stderr,
      'Cannot find implementation "honset": no such folder, expected one of honest, two-queries\n' +
        'Did you mean "honest"?\n',
    );
  }
});

Deno.test("main() ends with 1 and names what is wrong with an impl.toml", async () => {
  await using place = await makePlace();
  await place.addOwn("broken", { class: "fast" });
  const { code, stderr } = await runCommandLine(place, ["bench", "broken", "smoke"]);
  assertEquals(code, 1);
  assertEquals(
    stderr,
    `Cannot parse "${place.folders.impls}/broken/impl.toml": key "class" is "fast", ` +
      "expected one of standard, tuned\n",
  );
  assertEquals(await place.leftovers(), []);
});

Deno.test("main() ends with 1 for a folder whose name cannot be an id", async () => {
  await using place = await makePlace();
  await place.addOwn("My_Impl", {});
  const { code, stderr } = await runCommandLine(place, ["bench", "My_Impl", "smoke"]);
  assertEquals(code, 1);
  assertEquals(
    stderr,
    `Cannot use "${place.folders.impls}/My_Impl" as an implementation: its name is "My_Impl", ` +
      "expected a lower-case letter, then lower-case letters, digits and hyphens\n",
  );
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

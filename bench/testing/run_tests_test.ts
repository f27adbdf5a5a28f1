import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { unitTests } from "./batches.ts";
import { needTools, readOutcome, refuse } from "./run_tests.ts";

const bench = fromFileUrl(new URL("..", import.meta.url));

/** What Deno 2.9.6 prints. */
const failure = `running 2 tests from ./a_test.ts
good ... \x1b[32mok\x1b[0m (1ms)
bad ... FAILED (0ms)

 ERRORS 

bad => ./a_test.ts:2:6
error: Error: no

 FAILURES 

bad => ./a_test.ts:2:6

\x1b[1m\x1b[31mFAILED\x1b[0m | 1 passed (2 steps) | 1 failed (1 step) (3ms)

error: Test failed
`;

Deno.test("readOutcome() counts what passed and failed, and keeps what is said of failures", () => {
  const { errors, ...counts } = readOutcome(failure, false);
  assertEquals(counts, { passed: 1, failed: 1 });
  assertEquals(errors.trimStart().split("\n").at(0), "ERRORS ");
  assertEquals(errors.includes("bad => ./a_test.ts:2:6\nerror: Error: no"), true);
  assertEquals(errors.includes("good"), false);
  assertEquals(readOutcome("ok | 12 passed | 0 failed | 3 ignored (3ms)\n", true), {
    passed: 12,
    failed: 0,
    errors: "",
  });
});

Deno.test("readOutcome() takes a runner that broke off for a failure", () => {
  assertEquals(readOutcome("running 2 tests\n", false), { passed: 0, failed: 1, errors: "" });
  assertEquals(readOutcome("ok | 2 passed | 0 failed (3ms)\n", false).failed, 1);
});

Deno.test("refuse() names the groups for a word that is no group and no path, and takes a group alone", async () => {
  assertEquals(
    await refuse(["unitt"]),
    'Cannot test "unitt": no such file, expected a path or one of unit, site, server, measure',
  );
  assertEquals(
    await refuse(["unit", "--filter", "judge"]),
    'Cannot test "unit" with "--filter judge": a group takes nothing else, ' +
      "expected a group alone, or files and options",
  );
  const path = fromFileUrl(import.meta.url);
  for (const args of [[], ["unit"], ["--filter", "judge"], ["bench/**/*_test.ts"], [path]]) {
    assertEquals(await refuse(args), undefined);
  }
});

Deno.test("needTools() is true of all tests, and of the groups that start servers", () => {
  for (const args of [[], ["server"], ["measure"]]) assertEquals(needTools(args), true);
  for (const args of [["unit"], ["site"], ["--filter", "server"]]) {
    assertEquals(needTools(args), false);
  }
});

/** Unit tests are threads of one process, side by side, and each thread runs several files. */
Deno.test("no unit test changes what all share, opens a database or builds", async () => {
  const forbidden = /\bDeno\.(?:env\.(?:set|delete)|chdir)\(|testing\/ground\.ts"/;
  const found: string[] = [];
  for (const path of await unitTests(bench)) {
    if (forbidden.test(await Deno.readTextFile(join(bench, path)))) found.push(path);
  }
  assertEquals(found, []);
});

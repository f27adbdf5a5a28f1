/** What a person may get wrong on the command line: the exit code, and what the program says, in full. */
import { assertEquals } from "@std/assert";
import { readCheckout } from "../lib/git.ts";
import { scenarioIds } from "../scenario/ids.ts";
import { loadContracts } from "../scenario/words.ts";
import { exampleResult } from "../testing/example_result.ts";
import { makePlace } from "../testing/place.ts";
import { comparedIds } from "./arguments.ts";
import { printedBy, writeOnlyRun } from "../testing/printed.ts";

/** Command lines that are wrong in themselves. Each also ends with a hint at --help. */
const wrongUsage: Record<string, string> = {
  "bnech": "unknown command 'bnech'\n(Did you mean bench?)",
  "bench honest --request 5": "unknown option '--request'\n(Did you mean --requests?)",
  "bench honest --all": '"honest" and --all are given, expected one of them',
  "bench honest, smoke":
    'implementations are "honest,", expected ids with a comma between two, like deno,node',
  "bench honest fast": 'profile is "fast", expected one of smoke, quick, full',
  "bench honest smoke more":
    "too many arguments for 'bench'. Expected 2 arguments but got 3: honest, smoke, more.",
  "bench honest --run-id 20261399T000000Z-1a2b3c4": invalid(
    "--run-id <id>",
    "20261399T000000Z-1a2b3c4",
    '"20261399T000000Z-1a2b3c4", expected a UTC start and a short commit, like 20261121T014500Z-1a2b3c4.',
  ),
  "bench honest --run-id mine": invalid(
    "--run-id <id>",
    "mine",
    '"mine", expected a UTC start and a short commit, like 20261121T014500Z-1a2b3c4.',
  ),
  "bench --resume nonsense": invalid(
    "--resume <run-id>",
    "nonsense",
    '"nonsense", expected a UTC start and a short commit, like 20261121T014500Z-1a2b3c4.',
  ),
  "compare honest honest smoke":
    "both sides are honest, expected two; `just noise honest` compares it with itself",
  "compare control --base main smoke":
    "control and --base are given, but the control is built from this checkout only",
  "bench honest --levels": "option '--levels <list>' argument missing",
  "bench honest --levels 0": wrongLevel("0", "0, expected a whole number from 1."),
  "bench honest --levels -5": wrongLevel("-5", '"-5", expected a whole number, like 500.'),
  "bench honest --levels ten": wrongLevel("ten", '"ten", expected a whole number, like 500.'),
  "bench honest --levels 10,": wrongLevel("10,", '"", expected a whole number, like 500.'),
  "bench honest --levels 10,1000000000": wrongLevel(
    "10,1000000000",
    "1000000000, expected at most 999999999.",
  ),
  "bench honest --requests 0": invalid(
    "--requests <count>",
    "0",
    "0, expected a whole number from 1.",
  ),
  "bench honest --requests 1.5": invalid(
    "--requests <count>",
    "1.5",
    '"1.5", expected a whole number, like 500.',
  ),
  "bench honest --warm-up -1": invalid(
    "--warm-up <count>",
    "-1",
    '"-1", expected a whole number, like 500.',
  ),
  "bench --all --reproduces deno-rust":
    "--reproduces deno-rust needs an implementation that the article measured",
  "bench honest --pool 0": invalid("--pool <count>", "0", "0, expected a whole number from 1."),
  "bench --resume 20260101T000000Z-0000000 --all":
    "--resume and --all are given, expected one of them: a run has its implementations",
  "bench --resume 20260101T000000Z-0000000 smoke":
    "a profile, scenario or count is given with --resume, which takes those of its run",
  "bench --resume 20260101T000000Z-0000000 --levels 10":
    "a profile, scenario or count is given with --resume, which takes those of its run",
  "bench honest --attempt 2": "--attempt is given without --run-id, expected both",
  "bench honest --replica 2":
    "--replica is given without a run, expected --run-id or --resume, too",
  "bench --resume 20260101T000000Z-0000000 --run-id 20260101T000000Z-0000001":
    "--resume and --run-id are given, expected one of them",
  "bench honest --base main --run-id 20260101T000000Z-0000000":
    "--base is given with --resume or --run-id, expected neither",
  "bench --resume 20260101T000000Z-0000000 --scenario jwt-mysql":
    "a profile, scenario or count is given with --resume, which takes those of its run",
  ...Object.fromEntries(
    ["bench honest", "verify honest", "compare honest control", "noise honest"].map((line) => {
      const ids = /^(compare|noise)/.test(line) ? comparedIds : scenarioIds;
      const what = `"jwt-mysq", expected one of ${ids.join(", ")}; did you mean "jwt-mysql"?`;
      return [`${line} --scenario jwt-mysq`, invalid("--scenario <id>", "jwt-mysq", what)];
    }),
  ),
  "verify honest more":
    "too many arguments for 'verify'. Expected 1 argument but got 2: honest, more.",
  "compare honest":
    "no reference is given, expected another implementation, control, or --base <commit>",
  "compare honest quick":
    "no reference is given, expected another implementation, control, or --base <commit>",
  "compare honest control fast": 'profile is "fast", expected one of smoke, quick, full',
  "compare honest control quick --base main":
    '"control" and --base are given, expected one of them',
  "noise honest --resume 20260101T000000Z-0000000":
    "an implementation, scenario or count is given with --resume, which takes those of its measurement",
  "noise --resume 20260101T000000Z-0000000 --comparisons 30":
    "an implementation, scenario or count is given with --resume, which takes those of its measurement",
  "noise honest slow": 'profile is "slow", expected one of smoke, quick, full',
  "noise honest --comparisons none": invalid(
    "--comparisons <count>",
    "none",
    '"none", expected a whole number, like 500.',
  ),
  "noise honest --comparisons 1": invalid(
    "--comparisons <count>",
    "1",
    "1, expected at least 2: noise is how much comparisons differ.",
  ),
  "new other": "--like is not given, expected the implementation to copy, one of honest",
  "matrix --replicas 0": invalid(
    "--replicas <count>",
    "0",
    "0, expected a whole number from 1.",
  ),
  "publish": "missing required argument 'id'",
  "publish nonsense":
    "command-argument value 'nonsense' is invalid for argument 'id'. It is \"nonsense\", " +
    "expected a UTC start and a short commit, like 20261121T014500Z-1a2b3c4.",
  "site --port web": invalid("--port <port>", "web", '"web", expected a whole number, like 500.'),
  "site --port 70000": invalid("--port <port>", "70000", "70000, expected at most 65535."),
  "site-build --url x": "unknown option '--url'",
};

const unknownRun =
  'Cannot read run "20260101T000000Z-1111111": no result in "<root>/runs/20260101T000000Z-1111111", ' +
  "expected one of 20260101T000000Z-0000000";

/** Command lines that name what there is not. */
const wrongNames: Record<string, string> = {
  "bench honset smoke": unknownImpl("honset"),
  "bench honest,honset smoke": unknownImpl("honset"),
  "verify honset": unknownImpl("honset"),
  "noise honset": unknownImpl("honset"),
  "compare honset honest": unknownImpl("honset"),
  "compare honest honset": unknownImpl("honset"),
  "new other --like honset": unknownImpl("honset"),
  "matrix honset": unknownImpl("honset"),
  "bench My_Impl smoke":
    'Cannot use "<root>/impls/My_Impl" as an implementation: its name is "My_Impl", ' +
    "expected a lower-case letter, then lower-case letters, digits and hyphens",
  "new My_Impl --like honest": 'Cannot add implementation "My_Impl": its id is "My_Impl", ' +
    "expected a lower-case letter, then lower-case letters, digits and hyphens",
  "new honest --like honest":
    'Cannot add implementation "honest": "<root>/impls/honest" exists, expected an id that is free',
  "compare honest --base nowhere":
    'Cannot find commit "nowhere": git knows none of that name, expected a branch, tag or commit\n' +
    "Fetch it first: git fetch origin",
  "bench honest smoke --run-id 20260101T000000Z-0000000":
    'Cannot add to run "20260101T000000Z-0000000": it has "example" of jwt-mysql, profile custom, ' +
    "at commit 0000000, expected jwt-mysql, profile smoke, at commit <head>\n" +
    "Measure again without --run-id.",
  "bench honest --levels 10,1000000":
    "Cannot measure 1,000,000 connections with 500,000 requests, expected at least one for each",
  "bench honest smoke --levels 10,2001":
    "Cannot measure 2,001 connections with 2,000 requests, expected at least one for each",
  "bench honest --requests 200":
    "Cannot measure 300 connections with 200 requests, expected at least one for each",
  "bench --resume 20260101T000000Z-1111111": unknownRun,
  "noise --resume 20260101T000000Z-1111111":
    'Cannot resume "20260101T000000Z-1111111": "<root>/noise" has no such measurement, ' +
    "expected a measurement, there is none yet",
  "publish 20260101T000000Z-1111111": unknownRun,
};

Deno.test("a wrong command line ends with 2, and is told in full", async (t) => {
  await using place = await makePlace();
  await place.add("honest");
  for (const [line, message] of Object.entries(wrongUsage)) {
    await t.step(line, async () => {
      const stderr = `error: ${message}\nRun it with --help for usage.`;
      assertEquals(await printedBy(place, line), { code: 2, stdout: "", stderr });
    });
  }
});

Deno.test("a name of nothing ends with 1, and is told in full", async (t) => {
  await using place = await makePlace();
  await place.add("honest");
  await place.addOwn("My_Impl", {});
  await writeOnlyRun(place, JSON.stringify(exampleResult()));
  const head = (await readCheckout(place.folders.root)).commit.slice(0, 7);
  for (const [line, told] of Object.entries(wrongNames)) {
    await t.step(line, async () => {
      const stderr = told.replace("<head>", head);
      assertEquals(await printedBy(place, line), { code: 1, stdout: "", stderr });
    });
  }
});

Deno.test("a scenario that an implementation does not list ends with 1, and is told in full", async (t) => {
  await using place = await makePlace();
  await place.addOwn("honest", { scenarios: ["jwt-mysql"] });
  const [other] = (await loadContracts())
    .filter(({ id, protocols }) => id !== "jwt-mysql" && protocols.includes("comparison"))
    .map(({ id }) => id);
  for (const line of ["bench honest", "verify honest", "compare honest control", "noise honest"]) {
    await t.step(line, async () => {
      const stderr =
        `Cannot use "honest" for scenario "${other}": its impl.toml lists jwt-mysql, ` +
        `expected "${other}" among them\n` +
        `Add "${other}" to scenarios in its impl.toml, then verify it.`;
      const ended = await printedBy(place, `${line} --scenario ${other}`);
      assertEquals(ended, { code: 1, stdout: "", stderr });
    });
  }
});

Deno.test("a scenario without comparisons ends with 1, and is told in full", async () => {
  await using place = await makePlace();
  await place.addOwn("honest", { scenarios: ["notify"] });
  const ids = comparedIds.join(", ");
  const stderr = `Cannot compare in "notify": it has no comparison, expected one of ${ids}`;
  for (const line of ["compare honest control", "noise honest"]) {
    assertEquals(await printedBy(place, `${line} --scenario notify`), {
      code: 1,
      stdout: "",
      stderr,
    });
  }
});

function invalid(option: string, argument: string, what: string): string {
  return `option '${option}' argument '${argument}' is invalid. It is ${what}`;
}

function wrongLevel(argument: string, what: string): string {
  return invalid("--levels <list>", argument, what);
}

function unknownImpl(id: string): string {
  return `Cannot find implementation "${id}": no such folder, expected one of My_Impl, honest\n` +
    'Did you mean "honest"?';
}

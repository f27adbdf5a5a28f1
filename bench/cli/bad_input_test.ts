// deno-lint-ignore-file no-console -- takes what is printed
/** What a person may get wrong: the command line, the exit code, and what the program says, in full. */
import { assertEquals } from "@std/assert";
import { stripAnsiCode } from "@std/fmt/colors";
import { join } from "@std/path";
import { main } from "../main.ts";
import { scenarioIds } from "../scenario/ids.ts";
import { loadContracts } from "../scenario/words.ts";
import { exampleResult } from "../testing/example_result.ts";
import { makePlace, type Place } from "../testing/place.ts";

/** Command lines that are wrong in themselves. Each also ends with a hint at --help. */
const wrongUsage: Record<string, string> = {
  "bnech": "unknown command 'bnech'\n(Did you mean bench?)",
  "bench honest --request 5": "unknown option '--request'\n(Did you mean --requests?)",
  "bench honest --all": '"honest" and --all are given, expected one of them',
  "bench honest fast": 'profile is "fast", expected one of smoke, quick, full',
  "bench honest smoke more":
    "too many arguments for 'bench'. Expected 2 arguments but got 3: honest, smoke, more.",
  "bench honest --run-id mine": invalid(
    "--run-id <id>",
    "mine",
    '"mine", expected a UTC start and a short commit, like 20261121T014500Z-1a2b3c4.',
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
  "bench honest --levels 10,1000000":
    "500000 requests for 1000000 connections, expected at least one for each",
  "bench honest smoke --levels 10,2001":
    "2000 requests for 2001 connections, expected at least one for each",
  "bench honest --requests 200": "200 requests for 300 connections, expected at least one for each",
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
  "bench honest --reproduces deno-rust":
    "--reproduces deno-rust is given alone, expected the article's counts with it",
  "bench honest --pool 0": invalid("--pool <count>", "0", "0, expected a whole number from 1."),
  "bench --resume 20260101T000000Z-0000000 smoke":
    "a profile, scenario or count is given with --resume, which takes those of its run",
  "bench --resume 20260101T000000Z-0000000 --levels 10":
    "a profile, scenario or count is given with --resume, which takes those of its run",
  "bench honest --attempt 2": "--attempt is given without --run-id, expected both",
  "bench honest --replica 2":
    "--replica is given without a run, expected --run-id or --resume, too",
  "bench --resume 20260101T000000Z-0000000 --run-id 20260101T000000Z-0000001":
    "--resume and --run-id are given, expected one of them",
  "bench --resume 20260101T000000Z-0000000 --scenario jwt-mysql":
    "a profile, scenario or count is given with --resume, which takes those of its run",
  ...Object.fromEntries(
    ["bench honest", "verify honest", "compare honest control", "noise honest"].map((line) => [
      `${line} --scenario jwt-mysq`,
      invalid(
        "--scenario <id>",
        "jwt-mysq",
        `"jwt-mysq", expected one of ${scenarioIds.join(", ")}; did you mean "jwt-mysql"?`,
      ),
    ]),
  ),
  "verify honest more":
    "too many arguments for 'verify'. Expected 1 argument but got 2: honest, more.",
  "compare honest":
    "no reference is given, expected another implementation, control, or --base <commit>",
  "compare honest control fast": 'profile is "fast", expected one of smoke, quick, full',
  "compare honest control quick --base main":
    '"control" and --base are given, expected one of them',
  "noise": "missing required argument 'impl'",
  "noise honest slow": 'profile is "slow", expected one of smoke, quick, full',
  "noise honest --rounds none": invalid(
    "--rounds <count>",
    "none",
    '"none", expected a whole number, like 500.',
  ),
  "new other": "required option '--like <impl>' not specified",
  "publish": "missing required argument 'id'",
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
  "verify honset": unknownImpl("honset"),
  "noise honset": unknownImpl("honset"),
  "compare honset honest": unknownImpl("honset"),
  "compare honest honset": unknownImpl("honset"),
  "new other --like honset": unknownImpl("honset"),
  "matrix honset": unknownImpl("honset"),
  "all-passed nonsense":
    'Cannot read the jobs\' results: they are "nonsense", expected a list like ["success"]',
  'all-passed ["failure"]': 'Cannot pass: the jobs ended with ["failure"], expected success',
  "bench My_Impl smoke":
    'Cannot use "<root>/impls/My_Impl" as an implementation: its name is "My_Impl", ' +
    "expected a lower-case letter, then lower-case letters, digits and hyphens",
  "new My_Impl --like honest": 'Cannot add implementation "My_Impl": its id is "My_Impl", ' +
    "expected a lower-case letter, then lower-case letters, digits and hyphens",
  "new honest --like honest":
    'Cannot add implementation "honest": "<root>/impls/honest" exists, expected an id that is free',
  "compare honest --base nowhere":
    'Cannot compare with "nowhere": git knows no such commit, expected a branch, tag or commit\n' +
    "Fetch it first: git fetch origin",
  "bench honest smoke --run-id 20260101T000000Z-0000000":
    'Cannot add to run "20260101T000000Z-0000000": it has "example" of jwt-mysql, profile custom, ' +
    "expected jwt-mysql, profile smoke\nMeasure again without --run-id.",
  "bench --resume nonsense":
    'Cannot read run "nonsense": expected a UTC start and a short commit, like 20261121T014500Z-1a2b3c4',
  "bench --resume 20260101T000000Z-1111111": unknownRun,
  "publish nonsense":
    'Cannot read run "nonsense": expected a UTC start and a short commit, like 20261121T014500Z-1a2b3c4',
  "publish 20260101T000000Z-1111111": unknownRun,
};

Deno.test("a wrong command line ends with 2, and is told in full", async (t) => {
  await using place = await makePlace();
  await place.add("honest");
  for (const [line, message] of Object.entries(wrongUsage)) {
    await t.step(line, async () => {
      const stderr = `error: ${message}\nRun it with --help for usage.`;
      assertEquals(await run(place, line), { code: 2, stdout: "", stderr });
    });
  }
});

Deno.test("a name of nothing ends with 1, and is told in full", async (t) => {
  await using place = await makePlace();
  await place.add("honest");
  await place.addOwn("My_Impl", {});
  await writeRun(place, JSON.stringify(exampleResult()));
  for (const [line, stderr] of Object.entries(wrongNames)) {
    await t.step(line, async () => {
      assertEquals(await run(place, line), { code: 1, stdout: "", stderr });
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
        `Cannot use "honest" for scenario "${other}": its impl.toml lists jwt-mysql\n` +
        `Once it meets the contract, add "${other}" to scenarios in its impl.toml.`;
      const ended = await run(place, `${line} --scenario ${other}`);
      assertEquals(ended, { code: 1, stdout: "", stderr });
    });
  }
});

Deno.test("a scenario without comparisons ends with 1, and is told in full", async () => {
  await using place = await makePlace();
  await place.addOwn("honest", { scenarios: ["notify"] });
  const stderr = 'Cannot compare in "notify": its protocols are deliveries, expected a comparison';
  for (const line of ["compare honest control", "noise honest"]) {
    assertEquals(await run(place, `${line} --scenario notify`), { code: 1, stdout: "", stderr });
  }
});

// Each key of impl.toml and each way to damage it is in discover_test.ts.
Deno.test("a damaged impl.toml ends with 1, and each fault is told in full", async () => {
  await using place = await makePlace();
  await place.add("honest");
  const path = join(place.folders.impls, "honest", "impl.toml");
  const toml = await Deno.readTextFile(path);
  await Deno.writeTextFile(
    path,
    toml.replace(/^class = .*/m, 'class = "fast"').replace(/^driver = .*/m, ""),
  );
  const cannot = 'Cannot parse "<root>/impls/honest/impl.toml": ';
  const stderr = `${cannot}key "class" is "fast", expected one of standard, tuned\n` +
    `${cannot}key "driver" is missing, expected the package that talks to the database: ` +
    "jwt-mysql needs a database";
  for (const line of ["bench honest", "verify honest", "noise honest", "new other --like honest"]) {
    assertEquals(await run(place, line), { code: 1, stdout: "", stderr });
  }
});

Deno.test("a damaged result ends with 1, and is told in full", async (t) => {
  await using place = await makePlace();
  const good = exampleResult();
  const change = (values: Record<string, unknown>) => JSON.stringify({ ...good, ...values });
  const expectedScenario = scenarioIds.length === 1
    ? `Invalid input: expected "${scenarioIds[0]}"`
    : `Invalid option: expected one of ${scenarioIds.map((id) => `"${id}"`).join("|")}`;
  const path = `"<root>/runs/${good.runId}/example.json"`;
  const rows: [what: string, text: string, message: string][] = [
    [
      "cut off",
      '{"schemaVersion": 1',
      `Cannot parse ${path}: Expected ',' or '}' after property value in JSON at position 19 (line 1 column 20)`,
    ],
    [
      "of another version",
      change({ schemaVersion: 2 }),
      `Cannot parse ${path}: schemaVersion is 2, expected 1`,
    ],
    [
      "without a key",
      change({ impl: undefined }),
      `Cannot parse ${path}: key "impl": Invalid input: expected object, received undefined`,
    ],
    [
      "with a key of its own",
      change({ extra: 1 }),
      `Cannot parse ${path}: Unrecognized key: "extra"`,
    ],
    [
      "with a wrong value",
      change({ status: "fine" }),
      `Cannot parse ${path}: key "status": Invalid option: expected one of "complete"|"incomplete"|"failed"`,
    ],
    [
      "of an unknown scenario",
      change({ scenario: "nothing" }),
      `Cannot parse ${path}: key "scenario": ${expectedScenario}`,
    ],
    [
      "of another run",
      change({ runId: "20260101T000000Z-2222222" }),
      `Cannot read ${path}: it holds "example" of run "20260101T000000Z-2222222", expected "example" of run "${good.runId}"`,
    ],
  ];
  for (const [what, text, stderr] of rows) {
    await t.step(what, async () => {
      await writeRun(place, text);
      for (const command of ["bench --resume", "publish"]) {
        assertEquals(await run(place, `${command} ${good.runId}`), { code: 1, stdout: "", stderr });
      }
    });
  }
});

/** Runs a command line in this process; the place's folder is `<root>` in what it printed. */
async function run(
  place: Place,
  line: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const printed = { stdout: "", stderr: "" };
  const { log, error } = console;
  console.log = (text: string) => printed.stdout += `${text}\n`;
  console.error = (text: string) => printed.stderr += `${text}\n`;
  try {
    const code = await main(line.split(" "), { folders: place.folders });
    const shorten = (text: string) =>
      stripAnsiCode(text).replaceAll(place.folders.root, "<root>").trimEnd();
    return { code, stdout: shorten(printed.stdout), stderr: shorten(printed.stderr) };
  } finally {
    Object.assign(console, { log, error });
  }
}

/** Writes the only result of the place's only run. */
async function writeRun({ folders }: Place, text: string): Promise<void> {
  const { runId } = exampleResult();
  await Deno.mkdir(join(folders.localRuns, runId), { recursive: true });
  await Deno.writeTextFile(join(folders.localRuns, runId, "example.json"), text);
}

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

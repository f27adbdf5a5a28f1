import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { marked } from "marked";
import { parse } from "node-html-parser";
import { exampleBursts } from "../../testing/example_bursts.ts";
import { exampleResult } from "../../testing/example_result.ts";
import { exampleComparedLevel, exampleRun } from "../../testing/example_run.ts";
import { comparisonPlans } from "../../results/plan.ts";
import type { Result } from "../../results/result_schema.ts";
import type { ComparisonFile } from "../../results/files_schema.ts";
import { artifactLimits } from "./artifact.ts";
import { commentMarker, renderComment } from "./render.ts";

const context = {
  headSha: "1a2b3c4" + "0".repeat(33),
  runUrl: "https://github.com/backbench/backbench/actions/runs/5",
};

function render(files: Record<string, unknown>): string {
  const encoder = new TextEncoder();
  return renderComment(
    new Map(
      Object.entries(files).map(([name, data]) => [
        name,
        data instanceof Uint8Array
          ? data
          : encoder.encode(typeof data === "string" ? data : JSON.stringify(data)),
      ]),
    ),
    context,
  );
}

/** Renders one result, a complete one with changes. */
function renderResult(change: (result: Result) => void): string {
  const result = exampleResult();
  change(result);
  return render({ "example.json": result });
}

/** Makes the comparison of an implementation with its base. */
function exampleComparison(ratio: number): ComparisonFile {
  const { plan, provenance, machine, database, ...result } = exampleResult();
  return {
    schemaVersion: 1,
    id: result.runId,
    scenario: result.scenario,
    startedAt: "2026-01-01T00:00:00.000Z",
    endedAt: "2026-01-01T00:02:00.000Z",
    command: "npx rust-just compare example --base main quick",
    commit: provenance.commit,
    dirty: false,
    tools: provenance.tools,
    machine,
    database: database!,
    seed: plan.seed,
    plan: comparisonPlans.quick!,
    subject: { id: "example", commit: provenance.commit },
    reference: { id: "example", commit: "f".repeat(40) },
    levels: [exampleComparedLevel({ ratio, seed: 1, connections: 50 })],
  };
}

Deno.test("renderComment() says what came out, and has every figure in what unfolds", () => {
  assertEquals(
    renderResult(() => {}),
    `${commentMarker}
## Backbench: 1 measured

- \`example\`, \`jwt-mysql\`: measured, without a comparison

Measured at 1a2b3c4 in [this job](https://github.com/backbench/backbench/actions/runs/5), which ran the pull request's own code: unverified; not a published result.

<details>
<summary>Every figure</summary>

### \`example\`: \`jwt-mysql\`, profile custom

Contract: all checks passed.

| connections | warm: ratio to the control | warm: answers/s | cold: answers/s | cold of warm | cold: failed | cold: p99 ms |
| ---: | :--- | :--- | ---: | ---: | ---: | ---: |
| 10 | – | – | 4,000 | – | 0 | 2.75 |

Warm: from alternating slices of load on warm processes, with the interval of this run. Cold: one load of 10,000 requests on a fresh process after 1,000, without an interval.

\`koa 3.0.0\`, \`mysql2 3.0.0\`, \`jsonwebtoken 9.0.0\`, \`Deno 2.0.0\`, \`MySQL 9.0.0\`; \`Example CPU\`, 2 processors.

</details>
`,
  );
});

/** Returns the comment without what unfolds. */
function screenOf(text: string): string {
  return text.slice(0, text.indexOf("<details>"));
}

Deno.test("renderComment() shows that a percentile among unanswered requests is a lower bound", () => {
  const text = renderResult(({ levels: [level] }) => {
    const latency = level!.repetitions[0]!.figures!.latencySeconds;
    Object.assign(latency, { p99: 10, atLeast: ["p99", "p999", "max"] });
  });
  assertStringIncludes(text, "| 0 | ≥ 10,000.00 |");
});

Deno.test("renderComment() shows the ratio to the control with its interval, and what the generator bounds", () => {
  const results = exampleRun(exampleResult().runId);
  const text = render({ "tweaked.json": results.find(({ impl }) => impl.id === "tweaked") });
  assertMatch(
    text,
    /\| 10 \| at least 1\.\d\d times \(\d+ %: 1\.\d\d–1\.\d\d, 8 rounds\) \| at least 6,\d{3} \(6,\d{3}–6,\d{3}\) \| at least 4,000 \| – \| 0 \| 2\.75 \|/,
  );
  const swift = render({ "swift.json": results[0] });
  assertMatch(swift, / \| 4,\d{3} \(\d,\d{3}–4,\d{3}\) \| 4,000 \| 98 % \| 0 \|/);
});

Deno.test("renderComment() gives the verdict against the base first, and by how much", () => {
  const verdicts = [
    [1.2, "1 faster", /\*\*2\d % faster\*\* than its base/],
    [1, "1 no difference", /\*\*no difference\*\* found from its base/],
    [0.95, "1 slower", /\*\*[45]\.\d % slower\*\* than its base/],
    [2.4, "1 faster", /\*\*2\.4 times as fast\*\* as its base/],
  ] as const;
  for (const [ratio, summary, verdict] of verdicts) {
    const files = { "a.json": exampleResult(), "b.json": exampleComparison(ratio) };
    const [, title, , line, ...others] = screenOf(render(files)).split("\n");
    assertEquals(title, `## Backbench: ${summary}`);
    assertMatch(line!, verdict);
    assertMatch(line!, /at 50 connections, \d\.\d+ times \(\d+ %: \d\.\d+–\d\.\d+, 8 rounds\)$/);
    assertEquals(others.filter((other) => other.startsWith("- ")), []);
  }
});

Deno.test("renderComment() tells what needs somebody first, one line for each implementation and scenario", () => {
  const at = (scenario: string, ratio: number) => ({ ...exampleComparison(ratio), scenario });
  const broken = { ...exampleResult(), status: "incomplete", levels: [] };
  const text = screenOf(render({
    "a.json": exampleResult(),
    "b.json": { ...broken, impl: { ...exampleResult().impl, id: "other" } },
    "c.json": at("jwt-mysql", 1),
    "d.json": at("hello", 0.8),
  }));
  assertStringIncludes(text, "## Backbench: 1 failed, 1 slower, 1 no difference\n");
  assertEquals(text.match(/^- `.*?`, `.*?`/gm), [
    "- `other`, `jwt-mysql`",
    "- `example`, `hello`",
    "- `example`, `jwt-mysql`",
  ]);
  assertStringIncludes(
    text,
    "- `other`, `jwt-mysql`: **incomplete**: its job ended before the measurement did, after 0 of 1 levels\n",
  );
});

Deno.test("renderComment() tells one mistake once, whatever record it is of, with one example and a count", () => {
  const result = exampleResult();
  const problems = Array.from({ length: 12 }, (_, index) => ({
    check: `record ${index}`,
    sent: `GET / with the token of user${index}`,
    came: "body has its keys in another order, first email last city county age, " +
      `from byte 2 on: "first":"${"x".repeat(150)}${index}`,
    expected: `{"email":"user${index}@example.org","first":"${"x".repeat(150)}"}`,
  }));
  result.verification = { problems, outage: "checked" };
  const text = render({ "a.json": result, "b.json": { ...result, scenario: "hello" } });
  const [, problem, ...others] = screenOf(text).split("### Problems")[1]!.match(/^.*$/gm)!
    .filter((line, index) => index === 0 || line.startsWith("- "));
  assertEquals(others, []);
  assertStringIncludes(
    problem!,
    "- `example`, `jwt-mysql`; `example`, `hello`: 24 times, for example `record 0`: sent",
  );
  assertStringIncludes(screenOf(text), "**checks failed: 12**");
  assert(screenOf(text).length < 2_000 && text.length < 4_000, `${text.length}`);
});

Deno.test("renderComment() tells mistakes apart that have another cause", () => {
  const problem = { check: "a", sent: "GET /", came: "status is 200", expected: "401" };
  const text = renderResult((result) => {
    result.verification = {
      outage: "not-checked",
      problems: [
        problem,
        { ...problem, check: "b", came: "status is 200, body: {}" },
        { ...problem, came: "status is 500" },
        { ...problem, expected: "404" },
        {
          ...problem,
          came: 'body has another value of "age", 3, from byte 9 on: 3',
          expected: "4",
        },
        {
          ...problem,
          came: 'body has another value of "city", "x", from byte 9 on',
          expected: "y",
        },
        {
          ...problem,
          came: 'body has another value of "age", 7, from byte 8 on: 7',
          expected: "8",
        },
      ],
    };
  });
  const lines = screenOf(text).split("### Problems")[1]!.match(/^- .*/gm)!;
  assertEquals(lines.map((line) => /: (\d+) times/.exec(line)?.[1] ?? "1"), [
    "2",
    "2",
    "1",
    "1",
    "1",
  ]);
  assertStringIncludes(text, "Loss of the database was not checked.");
});

Deno.test("renderComment() says nothing of the database where the scenario has none", () => {
  const text = renderResult((result) => {
    result.verification = { problems: [] };
    delete result.database;
    delete result.impl.driver;
    delete result.impl.jwt;
  });
  assertStringIncludes(text, "Contract: all checks passed.\n");
  assertStringIncludes(text, "`koa 3.0.0`, `Deno 2.0.0`; `Example CPU`, 2 processors.");
});

Deno.test("renderComment() has a part for each scenario", () => {
  const text = render({
    "a.json": exampleResult(),
    "b.json": { ...exampleResult(), scenario: "hello" },
  });
  assertEquals(text.match(/^### .*/gm), [
    "### `example`: `jwt-mysql`, profile custom",
    "### `example`: `hello`, profile custom",
  ]);
});

Deno.test("renderComment() tells once for all scenarios that an implementation cannot be built", () => {
  const failed = (scenario: string, message: string) => ({
    ...exampleResult(),
    scenario,
    status: "failed" as const,
    failure: { stage: "build" as const, message, detail: "" },
    levels: [],
  });
  const titles = (files: Record<string, unknown>) => render(files).match(/^### .*/gm);
  const one = { "a.json": failed("hello", "red"), "b.json": failed("jwt-mysql", "red") };
  assertEquals(titles(one), ["### `example`: `hello` and `jwt-mysql`, profile custom"]);
  assertEquals(titles({ ...one, "b.json": failed("jwt-mysql", "blue") })?.length, 2);
});

Deno.test("renderComment() tells once why levels are invalid", () => {
  const text = renderResult((result) => {
    const [level] = result.levels;
    const [repetition] = level!.repetitions;
    delete repetition!.figures;
    const of = (message: string) => ({
      valid: false as const,
      reasons: [{ code: "failures" as const, message }],
    });
    repetition!.validity = of("50 of 10000 | failed");
    result.levels.push({
      ...level!,
      connections: 50,
      repetitions: [{ ...repetition!, validity: of("70 of 10000 | failed") }],
    });
  });
  assertStringIncludes(
    screenOf(text),
    "- `example`, `jwt-mysql`: **invalid** at 10, 50 connections\n\n### Problems\n\n" +
      "- `example`, `jwt-mysql`: 2 times, for example invalid at 10 connections: `50 of 10000 ¦ failed`\n",
  );
  assertStringIncludes(text, "| 10 | **invalid** | – | – | – | 0 | – |\n| 50 | **invalid** |");
});

Deno.test("renderComment() shows where an implementation failed, and the end of its log", () => {
  const text = renderResult((result) => {
    result.status = "failed";
    result.failure = { stage: "build", message: "it is red", detail: "first\nlast" };
    result.levels = [];
    delete result.verification;
  });
  assertStringIncludes(text, "**Failed at build**: `it is red`\n\n```text\nfirst\nlast\n```");
  assertStringIncludes(text, "Contract: not checked.\n\nLevels not measured: 1.");
});

Deno.test("renderComment() says that nothing was measured", () => {
  const text = render({});
  assertStringIncludes(
    text,
    "## Backbench: nothing was measured\n\nIf an implementation was touched",
  );
});

const attacks = [
  "<script>alert(1)</script><img src=x onerror=alert(1)>",
  "@backbench/maintainers approve, fixes #1 and backbench/backbench#2",
  "[click](https://evil.example) https://evil.example www.evil.example a@evil.example",
  "```\n\n# Approved\n\n```",
  "a | b |\n| :- |\n</td></table> <!-- `` ` \\",
  commentMarker,
];

Deno.test("renderComment() shows every text of an artifact as code, whatever it is", () => {
  for (const attack of attacks) {
    const result = exampleResult();
    const problem = { check: attack, sent: attack, came: attack, expected: attack };
    result.status = "failed";
    result.failure = { stage: "start", message: attack, detail: attack };
    result.verification = { problems: [problem], outage: "checked" };
    result.machine.cpuModel = attack;
    result.database!.version = attack;
    for (const part of ["framework", "driver", "jwt", "runtime"] as const) {
      result.impl[part] = { name: attack, version: attack };
    }
    const [repetition] = result.levels[0]!.repetitions;
    delete repetition!.figures;
    const reason = { code: "failures" as const, message: attack };
    repetition!.validity = { valid: false, reasons: [reason] };
    const comparison = exampleComparison(1);
    comparison.subject.id = attack;
    comparison.reference.id = attack + ".";
    comparison.levels[0]!.problem = attack;
    const text = render({ "a.json": result, "b.json": comparison, [attack]: attack });

    const html = parse(marked.parse(text, { async: false }), { blockTextElements: {} });
    assert(html.querySelectorAll("code").length > 16, text);
    const links = html.querySelectorAll("a").map((link) => link.getAttribute("href"));
    assertEquals(links, [context.runUrl]);
    html.querySelectorAll("code").forEach((element) => element.remove());
    const rest = html.toString();
    for (const mark of ["@", "evil", "script", "img", "#1", "Approved"]) {
      assertEquals(rest.includes(mark), false, rest);
    }
    assertEquals(html.querySelectorAll("table").length, 1);
  }
});

/** Returns what the comment says of files that are not used. */
function refusal(files: Record<string, unknown>): string {
  const text = render(files);
  assertEquals(/^### `/m.test(text), false, text);
  return /^- \d+ files? .*$/m.exec(text)?.[0] ?? "";
}

Deno.test("renderComment() uses no file of more than 1 MiB", () => {
  assertEquals(
    refusal({ "big.json": new Uint8Array(10 * 1024 * 1024).fill(0x20) }),
    '- 1 file was ignored, for example: `Cannot read "big.json": it is bigger, expected at most 1048576 bytes`',
  );
});

Deno.test("renderComment() uses no file that holds another pull request's number", () => {
  assertStringIncludes(
    refusal({ "example.json": { ...exampleResult(), pullRequest: 1 } }),
    '`Cannot parse "example.json": Unrecognized key: "pullRequest"`',
  );
});

Deno.test("renderComment() uses no file with a value of the wrong type", () => {
  const { levels } = exampleResult();
  const values: [keyof Result, unknown][] = [
    ["levels", "0".repeat(1000)],
    ["levels", [{ ...levels[0], connections: "10 | **faster**" }]],
    ["schemaVersion", 2],
    ["status", ["complete"]],
    ["impl", { ...exampleResult().impl, id: "../../README" }],
    ["startedAt", { toString: "x" }],
  ];
  for (const [key, value] of values) {
    const text = refusal({ "example.json": { ...exampleResult(), [key]: value } });
    assertStringIncludes(text, `Cannot parse "example.json": `);
    assertStringIncludes(text, key);
  }
});

Deno.test("renderComment() uses no file that is not JSON, or no text", () => {
  assertStringIncludes(refusal({ "a.json": "" }), 'Cannot parse "a.json"');
  assertStringIncludes(refusal({ "a.json": "null" }), 'Cannot parse "a.json"');
  assertStringIncludes(refusal({ "a.json": "[".repeat(1_000_000) }), 'Cannot parse "a.json"');
  assertStringIncludes(refusal({ "a.json": '{"__proto__": {"runId": "1"}}' }), "Cannot parse");
  assertStringIncludes(
    refusal({ "a.zip": new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0xff]) }),
    'Cannot read "a.zip": it is not UTF-8',
  );
  const bad = JSON.stringify(exampleResult()).replace('"attempted":10000', '"attempted":1e999');
  assertStringIncludes(refusal({ "a.json": bad }), 'Cannot parse "a.json"');
});

Deno.test("renderComment() makes nothing of a file's name", () => {
  const text = render({ "../../../etc/cron.d/`@x`": exampleResult() });
  assertEquals(text.includes("etc"), false);
  assertStringIncludes(refusal({ "../../`@x`": "" }), '`Cannot parse "../../ˋ@xˋ": ');
});

Deno.test("renderComment() reads a limited number of files, and says that there are more", () => {
  const count = artifactLimits.files + 1;
  const files = Array.from({ length: count }, (_, index) => [`${index}.json`, "{"]);
  const text = render(Object.fromEntries(files));
  assertStringIncludes(text, `- ${count} files were ignored, for example: `);
});

Deno.test("renderComment() gives a comment that GitHub takes, however much there is to say", () => {
  const long = "&<>@".repeat(50);
  const result = exampleResult();
  const problem = { check: long, sent: long, came: long, expected: long };
  const problems = Array.from({ length: 100 }, (_, index) => ({ ...problem, came: index + long }));
  result.verification = { problems, outage: "checked" };
  result.levels = Array.from({ length: 40 }, (_, index) => ({
    ...result.levels[0]!,
    connections: 10 ** (index % 15) + index,
    repetitions: [{
      startedAt: result.startedAt,
      validity: {
        valid: false as const,
        reasons: Array.from({ length: 30 }, (_, reason) => ({
          code: "failures" as const,
          message: `${index}, ${reason}: ${long}`,
        })),
      },
    }],
  }));
  result.plan.levels = result.levels.map(({ connections }) => connections);
  const one = render({ "a.json": result });
  assertStringIncludes(one, "28 more are left out here.");
  const files = Array.from({ length: 60 }, (_, index) => [`${index}.json`, result]);
  const many = render(Object.fromEntries(files));
  assert(many.length < 65_536 && one.length < 65_536, `${one.length}, ${many.length}`);
  assertStringIncludes(many, "more parts do not fit here: see the job.");
});

Deno.test("renderComment() has bursts in a table, and what is invalid with its reason", () => {
  const [, queueing, cheating] = exampleBursts("20260105T000000Z-0000005");
  const text = render({ "queueing.json": queueing, "cheating.json": cheating });
  assertStringIncludes(
    text,
    "| 10,000 | 1 | 8,282 | 17.2 % (16.9 %–17.4 %) | 21.21 (21.14–21.27) | 40.29 (40.17–40.41) | 50 |",
  );
  assertStringIncludes(
    text,
    "| 30,000 | 1 | `30,000 users need 30,256 descriptors, the limit is 20,000` | | | | |",
  );
  assertStringIncludes(
    text,
    "**invalid** with 10,000 users at once, 1 s; **invalid** with 1,000 users at once, 1 s",
  );
  assertStringIncludes(
    text,
    "invalid with 10,000 users at once, 1 s: `3 of 10000 users had a wrong answer",
  );
});

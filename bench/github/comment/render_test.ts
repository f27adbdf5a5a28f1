import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { exampleComparison } from "../../testing/example_files.ts";
import { exampleResult } from "../../testing/example_result.ts";
import { exampleRun } from "../../testing/example_run.ts";
import { render, renderResult, screenOf } from "../../testing/rendered_comment.ts";
import { commentMarker } from "./render.ts";

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

Warm: from alternating slices of load on warm processes, with the interval of this run. Cold: one load of 10,000 requests on a fresh process after 1,000 warm-up requests, without an interval. Cold of warm: in parentheses, where one more round of warm processes would lie, 19 times in 20.

\`koa 3.0.0\`, \`mysql2 3.0.0\`, \`jsonwebtoken 9.0.0\`, \`Deno 2.0.0\`, \`MySQL 9.0.0\`; \`Example CPU, 2 processors\`.

</details>
`,
  );
});

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
    /\| 10 \| at least 1\.\d\d times \(8 rounds\) \| at least 6,\d{3} \(6,\d{3}–6,\d{3}\) \| at least 8,000 \| – \| 0 \| 1\.25 \|/,
  );
  const swift = render({ "swift.json": results[0] });
  assertMatch(swift, / \| 4,\d{3} \(\d,\d{3}–4,\d{3}\) \| 4,000 \| 98 % \(\d\d–1\d\d\) \| 0 \|/);
});

Deno.test("renderComment() gives the verdict against the base first, and by how much", () => {
  const verdicts = [
    [1.2, "1 faster", /\*\*2\d % faster\*\* than its base/],
    [1, "1 no difference", /\*\*no difference\*\* measured against its base/],
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
  assertStringIncludes(text, "`koa 3.0.0`, `Deno 2.0.0`; `Example CPU, 2 processors`.");
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

Deno.test("renderComment() takes a level that only the machine disturbed for no failure, and says so", () => {
  const disturb = (...codes: ("steal" | "failures")[]) =>
    screenOf(renderResult(({ levels: [level] }) => {
      const [repetition] = level!.repetitions;
      delete repetition!.figures;
      const reasons = codes.map((code) => ({ code, message: code }));
      repetition!.validity = { valid: false, reasons };
    }));
  assertStringIncludes(
    disturb("steal"),
    "## Backbench: 1 measured\n\n- `example`, `jwt-mysql`: measured, without a comparison; " +
      "disturbed at 10 connections: no cold figures\n",
  );
  const failed = disturb("steal", "failures");
  assertStringIncludes(failed, "## Backbench: 1 failed\n\n");
  assertStringIncludes(failed, "`jwt-mysql`: **invalid** at 10 connections\n");
});

Deno.test("renderComment() says for how long rounds of a comparison begin, and how many there are at least", () => {
  assertStringIncludes(
    render({ "a.json": exampleResult(), "b.json": exampleComparison(1) }),
    "in alternating slices, in rounds that begin within 110 s, at least 5.\n",
  );
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

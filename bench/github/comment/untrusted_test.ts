import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { marked } from "marked";
import { parse } from "node-html-parser";
import type { Result } from "../../results/result_schema.ts";
import { exampleComparison } from "../../testing/example_files.ts";
import { exampleResult } from "../../testing/example_result.ts";
import { context, render, screenOf } from "../../testing/rendered_comment.ts";
import { artifactLimits } from "./untrusted_files.ts";
import { commentMarker } from "./render.ts";

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

Deno.test("renderComment() takes names of JavaScript's own for names, as keys and as ids", () => {
  const text = JSON.stringify(exampleResult());
  const before = Object.getOwnPropertyNames(Object.prototype);
  for (const name of ["__proto__", "constructor", "prototype", "toString"]) {
    for (const record of ["tools", "variables", "wrong", "failures"]) {
      for (const value of ["1", '"1"', '{"polluted":1}']) {
        const hostile = text.replace(`"${record}":{`, `"${record}":{"${name}":${value},`)
          .replace(",}", "}");
        assert(hostile.length > text.length, record);
        assertStringIncludes(render({ "a.json": hostile }), "## Backbench: ");
      }
    }
  }
  assertEquals(Object.getOwnPropertyNames(Object.prototype), before);
  for (const id of ["constructor", "prototype"]) {
    const named = render({ "a.json": text.replace('"id":"example"', `"id":"${id}"`) });
    assertStringIncludes(screenOf(named), `- \`${id}\`, `);
  }
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

Deno.test("renderComment() gives a comment that GitHub takes, however long the lines of comparisons are", () => {
  const comparison = exampleComparison(1);
  comparison.reference.id = "b".repeat(300);
  comparison.levels = Array.from({ length: 12 }, (_, index) => ({
    ...comparison.levels[0]!,
    connections: index + 1,
    goodput: { ...comparison.levels[0]!.goodput!, estimate: 1e308, low: 1e307, high: 1e308 },
  }));
  const files = Array.from({ length: 40 }, (_, index) => {
    const subject = { ...comparison.subject, id: `${index}${"a".repeat(200)}` };
    return [`${index}.json`, { ...comparison, subject }];
  });
  const text = render(Object.fromEntries(files));
  assert(text.length < 65_536, `${text.length}`);
  assertStringIncludes(text, "1.00e+308 times");
  assertStringIncludes(text, "more are left out here.");
});

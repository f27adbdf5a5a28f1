import { assertEquals } from "@std/assert";
import { crc32 } from "node:zlib";
import type { Answers } from "../scenario.ts";
import { judgeAnswers, type JudgeContext } from "./judge.ts";
import { firstId, recordOf, visitOf, type VisitRow } from "./visits.ts";

const salt = 5;

/** The rows of so many lines, as an honest server adds them. */
function rowsOf(lines: number): VisitRow[] {
  return Array.from(
    { length: lines },
    (_, line) => ({ id: firstId + line, ...visitOf(line, salt) }),
  );
}

/** Answers to lines, each with the record of a row. */
function answersOf(
  records: VisitRow[],
  { lines = [...records.keys()], status = 201 } = {},
): Answers {
  const bodies = records.map(recordOf);
  return {
    line: Uint32Array.from(lines),
    status: new Uint16Array(records.length).fill(status),
    bodyBytes: Uint32Array.from(bodies, (body) => body.length),
    bodyCrc32: Uint32Array.from(bodies, (body) => crc32(body)),
    startMs: new Float64Array(records.length),
    endMs: Float64Array.from(records, (_, index) => 10 * index),
  };
}

function judge(answers: Answers, rows: VisitRow[], more: Partial<JudgeContext> = {}) {
  const sightings = { absentAtMs: () => -Infinity };
  return judgeAnswers(answers, { rows, salt, sightings, toleranceMs: 5, isShared: false, ...more });
}

Deno.test("judgeAnswers() finds the answers right whose rows are as they were asked for", () => {
  const rows = rowsOf(3);
  const { isRight, wrong, statements } = judge(answersOf(rows), rows);
  assertEquals([[...isRight], wrong, statements], [[1, 1, 1], {}, 3]);
});

const [first, second, third] = rowsOf(3) as [VisitRow, VisitRow, VisitRow];
const user = (line: number) =>
  `POST /visits for the user "${visitOf(line, salt).user}", line ${line}`;

Deno.test("judgeAnswers() names what is wrong with a row or an answer", async (t) => {
  const cases: Record<string, [VisitRow[], VisitRow[], string, string]> = {
    "missing-row": [[first, second], [first], user(1), "status 201, but no row"],
    "another-id": [
      [first, { ...second, id: first.id }],
      [first, second],
      user(1),
      `the id ${first.id}`,
    ],
    "altered-row": [
      [first, second],
      [first, { ...second, text: third.text }],
      user(1),
      `a row of another text, "${third.text}" in place of "${second.text}"`,
    ],
    "row-twice": [
      [first],
      [first, { ...first, id: second.id }],
      user(0),
      `2 rows, ${first.id}, ${second.id}`,
    ],
    "unknown-row": [
      [first],
      [first, { ...second, user: "nobody" }],
      "no request",
      `row ${second.id} with the user "nobody"`,
    ],
  };
  for (const [kind, [records, rows, sent, came]] of Object.entries(cases)) {
    await t.step(kind, () => {
      const { wrong, problems } = judge(answersOf(records), rows);
      assertEquals(wrong, { [kind]: 1 });
      assertEquals(problems.map((problem) => [problem.sent, problem.came]), [[sent, came]]);
    });
  }
  await t.step("altered-row, told in the answer, too", () => {
    const altered = { ...first, page: second.page };
    assertEquals(judge(answersOf([altered]), [altered]).wrong, { "altered-row": 1 });
  });
  await t.step("wrong-body", () => {
    const { wrong } = judge(answersOf([{ ...first, text: second.text }]), [first]);
    assertEquals(wrong, { "wrong-body": 1 });
  });
  await t.step("status-500", () => {
    assertEquals(judge(answersOf([first], { status: 500 }), []).wrong, { "status-500": 1 });
  });
});

Deno.test("judgeAnswers() rejects an answer that came before its row, by more than the clocks may differ", () => {
  const rows = rowsOf(3);
  const sightings = { absentAtMs: (id: number) => [4, 15, 26][id - firstId]! };
  const { isRight, wrong, problems } = judge(answersOf(rows), rows, { sightings });
  assertEquals([[...isRight], wrong], [[1, 1, 0], { "late-row": 1 }]);
  assertEquals(problems[0]!.came, `its record, but row ${firstId + 2} was not there 1 ms later`);
});

Deno.test("judgeAnswers() takes a line that was sent twice for two rows, and another server's rows for none", () => {
  const twice = [first, { ...first, id: second.id }];
  const answers = answersOf(twice, { lines: [0, 0] });
  assertEquals(judge(answers, twice).wrong, {});
  assertEquals(judge(answersOf([first]), twice, { isShared: true }).wrong, {});
});

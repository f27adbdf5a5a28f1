import { assertEquals } from "@std/assert";
import type { Answers, Witnessed } from "../scenario.ts";
import { createRecordHistory, type RecordHistory } from "../record_history.ts";
import { judgeAnswers } from "./judge.ts";
import { type Kind, kinds } from "./request_plan.ts";

const emails = ["ann@example.com", "bob@example.com", "cem@example.com"];
const unknownEmails = ["dan@example.com"];
const users = {
  crc32s: Uint32Array.of(0xa0, 0xb0, 0xc0),
  lengths: Uint32Array.of(100, 101, 102),
};
const ann = { crc32: 0xa0, bytes: 100 };

/** Tokens of the lines expire then, unless a test says otherwise; milliseconds as of `performance.now()`. */
const farMs = 86_400_000;

interface MadeUp {
  kind?: Kind;
  user?: number;
  status?: number;
  body?: { crc32: number; bytes: number };
  /** When it was sent and had come. */
  times?: [startMs: number, endMs: number];
  expiresMs?: number;
}

/** Judges answers, one per line from 0; `performance.now()` is the wall clock here. */
function judge(
  madeUp: MadeUp[],
  { history = createRecordHistory(users), toleranceMs = 0 } = {},
): Witnessed {
  const all = madeUp.map((it) => ({
    ...{ kind: "valid" as const, user: 0, status: 200, body: ann, times: [10_000, 10_001] },
    ...{ expiresMs: farMs, ...it },
  }));
  const answers: Answers = {
    line: Uint32Array.from(all.keys()),
    status: Uint16Array.from(all, ({ status }) => status),
    bodyBytes: Uint32Array.from(all, ({ body }) => body.bytes),
    bodyCrc32: Uint32Array.from(all, ({ body }) => body.crc32),
    startMs: Float64Array.from(all, ({ times }) => times[0]!),
    endMs: Float64Array.from(all, ({ times }) => times[1]!),
  };
  const plan = {
    kind: Uint8Array.from(all, ({ kind }) => kinds.indexOf(kind)),
    user: Uint32Array.from(all, ({ user }) => user),
    exp: Uint32Array.from(all, ({ expiresMs }) => expiresMs / 1000),
  };
  const context = { plan, emails, unknownEmails, history, toleranceMs, wallClockMs: 0 };
  return judgeAnswers(answers, context);
}

/** Returns the kind of the one wrong answer; undefined where it is right. */
function kindOf(answer: MadeUp, options?: Parameters<typeof judge>[1]): string | undefined {
  const { isRight, wrong, problems } = judge([answer], options);
  const [kind] = Object.keys(wrong);
  assertEquals(isRight[0], kind === undefined ? 1 : 0);
  assertEquals(problems.map(({ check }) => check), kind === undefined ? [] : [kind]);
  return kind;
}

/** Ann's row: its age was changed from 1,000 to 1,010 ms, its city from 2,000 to 2,010 ms. */
function changedTwice(): RecordHistory {
  const history = createRecordHistory(users);
  history.add(0, { crc32: 0xa1, bytes: 100, column: "age", sentMs: 1_000, acknowledgedMs: 1_010 });
  history.add(0, { crc32: 0xa2, bytes: 99, column: "city", sentMs: 2_000, acknowledgedMs: 2_010 });
  return history;
}

const body = (crc32: number, bytes = 100) => ({ crc32, bytes });
const forged = kinds.filter((kind) => !["valid", "expired", "unknown user"].includes(kind));

Deno.test("judgeAnswers() finds right answers right, and counts their statements", () => {
  const witnessed = judge([
    {},
    { user: 2, body: { crc32: 0xc0, bytes: 102 } },
    { kind: "unknown user", status: 404 },
    ...forged.map((kind) => ({ kind, status: 401 })),
    { kind: "expired", status: 401, expiresMs: 5_000 },
  ]);
  assertEquals(witnessed, {
    isRight: new Uint8Array(4 + forged.length).fill(1),
    wrong: {},
    problems: [],
    statements: 3,
    refused: 2 + forged.length,
  });
  assertEquals(forged.length, 4);
});

Deno.test("judgeAnswers() knows a body by its digest and its length", () => {
  assertEquals(kindOf({ body: body(0xa0, 101) }), "wrong-body");
  assertEquals(kindOf({ body: body(0xee) }), "wrong-body");
  assertEquals(kindOf({ body: body(0, 0) }), "wrong-body");
  assertEquals(kindOf({ body: body(0xb0, 101) }), "another-record");
});

Deno.test("judgeAnswers() says of a status what it is for this request", () => {
  for (const kind of [...forged, "unknown user"] as Kind[]) {
    assertEquals(kindOf({ kind }), "not-refused", kind);
    assertEquals(kindOf({ kind, status: 500 }), "status-500", kind);
  }
  assertEquals(kindOf({ kind: "alg none", status: 404 }), "status-404");
  assertEquals(kindOf({ kind: "unknown user", status: 401 }), "status-401");
  assertEquals(kindOf({ status: 401 }), "refused");
  assertEquals(kindOf({ status: 404 }), "refused");
  assertEquals(kindOf({ status: 503 }), "status-503");
  assertEquals(kindOf({ status: 204 }), "status-204");
});

Deno.test("judgeAnswers() wants a token accepted before exp, refused from 2 s after, either between", () => {
  const expiresMs = 10_000;
  const cases: [times: [number, number], accepted: string | undefined, refused?: string][] = [
    [[9_000, 9_999], undefined, "refused"],
    [[9_000, 10_000], undefined],
    [[10_500, 10_501], undefined],
    [[11_999, 12_500], undefined],
    [[12_000, 12_001], "not-refused"],
  ];
  for (const [times, accepted, refused] of cases) {
    assertEquals(kindOf({ times, expiresMs }), accepted, `200 at ${times}`);
    assertEquals(kindOf({ times, expiresMs, status: 401 }), refused, `401 at ${times}`);
  }
  // Either is no licence for anything else.
  const times: [number, number] = [10_500, 10_501];
  assertEquals(kindOf({ times, expiresMs, status: 404 }), "refused");
  assertEquals(kindOf({ times, expiresMs, body: body(0xb0, 101) }), "another-record");
});

Deno.test("judgeAnswers() widens the times of a request by the tolerance, where tokens expire", () => {
  const expiresMs = 10_000;
  const early = { times: [9_000, 9_900] as [number, number], expiresMs, status: 401 };
  assertEquals(kindOf(early, { toleranceMs: 99 }), "refused");
  assertEquals(kindOf(early, { toleranceMs: 100 }), undefined);
  const late = { times: [12_100, 12_101] as [number, number], expiresMs };
  assertEquals(kindOf(late, { toleranceMs: 100 }), "not-refused");
  assertEquals(kindOf(late, { toleranceMs: 101 }), undefined);
});

Deno.test("judgeAnswers() counts the statement of a token that expires by its answer", () => {
  const either = { times: [10_500, 10_501] as [number, number], expiresMs: 10_000 };
  const { statements, refused } = judge([either, { ...either, status: 401 }]);
  assertEquals([statements, refused], [1, 1]);
  // Whoever answers wrongly had the statement to send all the same, or not.
  const wrong = judge([{ status: 500 }, { kind: "alg none" }, { kind: "unknown user" }]);
  assertEquals([wrong.statements, wrong.refused], [2, 0]);
});

Deno.test("judgeAnswers() accepts the versions that a row had during a request", () => {
  const history = changedTwice();
  const cases: [times: [number, number], before?: string, first?: string, second?: string][] = [
    [[0, 999], undefined, "early-record", "early-record"],
    [[0, 1_000], undefined, undefined, "early-record"],
    [[1_010, 1_011], undefined, undefined, "early-record"],
    [[1_011, 1_999], "stale-record", undefined, "early-record"],
    [[1_011, 2_000], "stale-record", undefined, undefined],
    [[2_010, 9_000], "stale-record", undefined, undefined],
    [[2_011, 9_000], "stale-record", "stale-record", undefined],
    [[0, 9_000], undefined, undefined, undefined],
  ];
  for (const [times, ...expected] of cases) {
    const versions = [ann, body(0xa1), body(0xa2, 99)];
    const found = versions.map((version) => kindOf({ times, body: version }, { history }));
    assertEquals(found, [...expected, ...Array(3 - expected.length)], `${times}`);
  }
});

Deno.test("judgeAnswers() widens the times of a request by the tolerance, where rows change", () => {
  const history = changedTwice();
  const stale = { times: [1_060, 1_061] as [number, number] };
  assertEquals(kindOf(stale, { history, toleranceMs: 49 }), "stale-record");
  assertEquals(kindOf(stale, { history, toleranceMs: 50 }), undefined);
  const early = { times: [900, 950] as [number, number], body: body(0xa1) };
  assertEquals(kindOf(early, { history, toleranceMs: 49 }), "early-record");
  assertEquals(kindOf(early, { history, toleranceMs: 50 }), undefined);
});

Deno.test("judgeAnswers() accepts both versions while a change is not acknowledged", () => {
  const history = createRecordHistory(users);
  const sent = { sentMs: 1_000, acknowledgedMs: Infinity };
  history.add(0, { crc32: 0xa1, bytes: 100, column: "age", ...sent });
  for (const version of [ann, body(0xa1)]) {
    assertEquals(kindOf({ body: version, times: [5_000, 5_001] }, { history }), undefined);
  }
});

Deno.test("judgeAnswers() accepts a row that was changed and changed back", () => {
  const history = changedTwice();
  history.add(0, { ...ann, column: "age", sentMs: 3_000, acknowledgedMs: 3_010 });
  assertEquals(kindOf({ times: [1_500, 1_501] }, { history }), "stale-record");
  assertEquals(kindOf({ times: [4_000, 4_001] }, { history }), undefined);
});

Deno.test("judgeAnswers() knows another user's record in any of its versions", () => {
  const history = changedTwice();
  for (const version of [ann, body(0xa1), body(0xa2, 99)]) {
    assertEquals(kindOf({ user: 1, body: version }, { history }), "another-record");
  }
});

Deno.test("forgetPast() keeps what every row is now, and reset() what it was at first", () => {
  const history = changedTwice();
  history.forgetPast();
  assertEquals(kindOf({ body: body(0xa2, 99) }, { history }), undefined);
  assertEquals(kindOf({ body: body(0xa1) }, { history }), "wrong-body");
  history.add(0, { crc32: 0xa3, bytes: 98, column: "last", sentMs: 3_000, acknowledgedMs: 3_010 });
  assertEquals(kindOf({ body: body(0xa2, 99) }, { history }), "stale-record");
  history.reset();
  assertEquals(kindOf({}, { history }), undefined);
});

Deno.test("judgeAnswers() describes the first wrong answer of each kind, and counts all", () => {
  const history = changedTwice();
  const at = (startMs: number): [number, number] => [startMs, startMs + 1];
  const { wrong, problems } = judge([
    { times: at(1_510) },
    { times: at(1_600) },
    { body: body(0xa2, 99), times: at(1_500) },
    { user: 2, body: body(0xb0, 101) },
    { user: 2, body: body(0xee, 42) },
    { user: 1, status: 401 },
    { user: 1, status: 500 },
    { kind: "signature changed", user: 1, times: at(20_000) },
    { kind: "unknown user", status: 401 },
    { kind: "expired", expiresMs: 4_000, times: at(12_345) },
    { kind: "valid", expiresMs: 15_000, status: 404, times: at(12_000) },
  ], { history });
  assertEquals(wrong, {
    "stale-record": 2,
    "early-record": 1,
    "another-record": 1,
    "wrong-body": 1,
    "refused": 2,
    "status-500": 1,
    "not-refused": 2,
    "status-401": 1,
  });
  const texts = problems.map(({ check, sent, came, expected }) =>
    `${check}: ${sent}: ${came}, expected ${expected}`
  );
  assertEquals(texts, [
    'stale-record: GET / with a token of "ann@example.com", line 0: its record as it was before ' +
    '"age" had been changed, 500 ms after that, expected the record with that change',
    'early-record: GET / with a token of "ann@example.com", line 2: its record as it was only ' +
    '499 ms later, with "city" changed, expected the record before that change, or clocks that agree',
    'another-record: GET / with a token of "cem@example.com", line 3: ' +
    'the record of "bob@example.com", expected the record of that user',
    'wrong-body: GET / with a token of "cem@example.com", line 4: a body of 42 bytes with CRC-32 ' +
    "000000ee, which is no user's record, expected its record, 102 bytes with CRC-32 000000c0",
    'refused: GET / with a token of "bob@example.com", line 5: status is 401, expected status 200',
    'status-500: GET / with a token of "bob@example.com", line 6: status is 500, expected status 200',
    'not-refused: GET / with a token of "bob@example.com" with a changed signature, line 7: ' +
    "status is 200, expected status 401",
    'status-401: GET / with a token of "dan@example.com", whom the table does not have, line 8: ' +
    "status is 401, expected status 404",
  ]);
  const expired = judge([{ kind: "expired", expiresMs: 4_000, times: at(12_345) }]).problems;
  assertEquals(
    expired[0]?.sent,
    'GET / with a token of "ann@example.com" that had expired 8.3 s before, line 0',
  );
  const expiring = judge([{ expiresMs: 15_000, status: 404, times: at(12_000) }]).problems;
  assertEquals(
    expiring[0]?.sent,
    'GET / with a token of "ann@example.com" that expires 3.0 s later, line 0',
  );
});

Deno.test("judgeAnswers() judges 500,000 answers, half of which have another user's record", () => {
  const count = 500_000;
  const history = changedTwice();
  const answers: Answers = {
    line: new Uint32Array(count).map((_, line) => line),
    status: new Uint16Array(count).fill(200),
    bodyBytes: new Uint32Array(count).fill(101),
    bodyCrc32: new Uint32Array(count).fill(0xb0),
    startMs: new Float64Array(count).map((_, index) => index / 100),
    endMs: new Float64Array(count).map((_, index) => index / 100 + 1),
  };
  const plan = {
    kind: new Uint8Array(count),
    user: new Uint32Array(count).map((_, index) => index % 2),
    exp: new Uint32Array(count).fill(farMs / 1000),
  };
  const context = { plan, emails, unknownEmails, history, toleranceMs: 0, wallClockMs: 0 };
  const { wrong } = judgeAnswers(answers, context);
  assertEquals(wrong, { "another-record": count / 2 });
});

import { assertEquals } from "@std/assert";
import { crc32 } from "node:zlib";
import { itemOf } from "../../upstream/item.ts";
import { createRecordHistory } from "../record_history.ts";
import type { Answers } from "../scenario.ts";
import { judgeAnswers } from "./judge.ts";

const ids = [7, 8, 199];
const encoder = new TextEncoder();

function bodyOf(id: number, edition = 0): string {
  return itemOf("some-key", id, edition).body;
}

interface Came {
  line: number;
  status: number;
  body: string;
  startMs?: number;
  endMs?: number;
}

function answersOf(came: Came[]): Answers {
  const bytes = came.map(({ body }) => encoder.encode(body));
  return {
    line: Uint32Array.from(came, ({ line }) => line),
    status: Uint16Array.from(came, ({ status }) => status),
    bodyBytes: Uint32Array.from(bytes, ({ length }) => length),
    bodyCrc32: Uint32Array.from(bytes, (body) => crc32(body)),
    startMs: Float64Array.from(came, ({ startMs = 0 }) => startMs),
    endMs: Float64Array.from(came, ({ endMs = 0 }) => endMs),
  };
}

function contextOf(toleranceMs = 0) {
  const bodies = ids.map((id) => encoder.encode(bodyOf(id)));
  const history = createRecordHistory({
    crc32s: Uint32Array.from(bodies, (body) => crc32(body)),
    lengths: Uint32Array.from(bodies, ({ length }) => length),
  });
  return { ids, places: Uint32Array.of(0, 1, 2), history, toleranceMs };
}

Deno.test("each answer is judged by the status and bytes of the item that its line asked for", () => {
  const [seven, eight, missing] = ids.map((id) => bodyOf(id));
  const answers = answersOf([
    { line: 0, status: 200, body: seven! },
    { line: 1, status: 200, body: eight! },
    { line: 1, status: 200, body: seven! },
    { line: 2, status: 404, body: missing! },
    { line: 2, status: 200, body: missing! },
    { line: 0, status: 200, body: seven!.replace("0,", ",") },
    { line: 0, status: 404, body: seven! },
    { line: 0, status: 502, body: "" },
    { line: 2, status: 404, body: "" },
  ]);
  const { isRight, wrong, problems, refused } = judgeAnswers(answers, contextOf());
  assertEquals([...isRight], [1, 1, 0, 1, 0, 0, 0, 0, 0]);
  assertEquals(wrong, {
    "another-item": 1,
    "status-200": 1,
    "wrong-body": 2,
    "status-404": 1,
    "status-502": 1,
  });
  assertEquals(refused, 1);
  const [another] = problems;
  assertEquals([another?.sent, another?.came], ["GET /gateway/8", "the body of item 7"]);
});

Deno.test("right is the old item before a change, the new one after it, and either in between", () => {
  const context = contextOf(1);
  const changed = encoder.encode(bodyOf(7, 1));
  context.history.add(0, {
    ...{ crc32: crc32(changed), bytes: changed.length },
    ...{ sentMs: 100, acknowledgedMs: 110 },
  });
  const answer = (edition: number, startMs: number, endMs: number): Came => {
    return { line: 0, status: 200, body: bodyOf(7, edition), startMs, endMs };
  };
  const { isRight, wrong, problems } = judgeAnswers(
    answersOf([
      ...[answer(0, 90, 95), answer(0, 105, 115), answer(1, 105, 115), answer(1, 120, 130)],
      ...[answer(1, 90, 99.5), answer(0, 110.5, 120)],
      ...[answer(1, 80, 90), answer(0, 150, 160)],
    ]),
    context,
  );
  assertEquals([...isRight], [1, 1, 1, 1, 1, 1, 0, 0]);
  assertEquals(wrong, { "early-item": 1, "stale-item": 1 });
  assertEquals(problems.map(({ sent, came }) => `${sent}: ${came}`), [
    "GET /gateway/7: what the upstream had only 10 ms later",
    "GET /gateway/7: what the upstream had until 40 ms before the request",
  ]);
});

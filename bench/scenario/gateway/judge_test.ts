import { assertEquals } from "@std/assert";
import { crc32 } from "node:zlib";
import { itemOf } from "../../upstream/item.ts";
import type { Answers } from "../scenario.ts";
import { createJudge } from "./judge.ts";

Deno.test("each answer is judged by the status and bytes of the item that its line asked for", () => {
  const items = [7, 8, 199].map((id) => ({ id, ...itemOf("some-key", id) }));
  const [seven, eight, missing] = items.map(({ body }) => body);
  const came: [line: number, status: number, body: string][] = [
    [0, 200, seven!],
    [1, 200, eight!],
    [1, 200, seven!],
    [2, 404, missing!],
    [2, 200, missing!],
    [0, 200, seven!.replace("0,", ",")],
    [0, 404, seven!],
    [0, 502, ""],
    [2, 404, ""],
  ];
  const bytes = came.map(([, , body]) => new TextEncoder().encode(body));
  const times = new Float64Array(came.length);
  const answers: Answers = {
    line: Uint32Array.from(came, ([line]) => line),
    status: Uint16Array.from(came, ([, status]) => status),
    bodyBytes: Uint32Array.from(bytes, ({ length }) => length),
    bodyCrc32: Uint32Array.from(bytes, (body) => crc32(body)),
    startMs: times,
    endMs: times,
  };
  const { isRight, wrong, problems, refused } = createJudge(items)(
    answers,
    Uint32Array.of(7, 8, 199),
  );
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

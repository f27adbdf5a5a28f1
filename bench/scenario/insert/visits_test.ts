import { assertEquals, assertNotEquals } from "@std/assert";
import { lineOf, recordOf, requestBody, requestLine, visitOf } from "./visits.ts";

Deno.test("visitOf() returns another visit for each line, always the same, and all of one length", () => {
  const visits = Array.from({ length: 5_000 }, (_, line) => visitOf(line * 99, 7));
  assertEquals(new Set(visits.map(({ user }) => user)).size, visits.length);
  assertEquals(new Set(visits.map(({ text }) => text)).size, visits.length);
  assertEquals(new Set(visits.map((visit) => requestBody(visit).length)).size, 1);
  assertEquals(visitOf(99, 7), visits[1]);
  assertNotEquals(visitOf(99, 8), visits[1]);
});

Deno.test("lineOf() finds the line of a user, and none of another", () => {
  assertEquals([0, 17, 499_999].map((line) => lineOf(visitOf(line, 3).user)), [0, 17, 499_999]);
  assertEquals(["", "check-brown.0000001", "brown.1"].map(lineOf), [
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("a line of the request file has the body whose record is the answer", () => {
  const visit = visitOf(1, 1);
  const { method, path, headers, body } = JSON.parse(requestLine(visit));
  assertEquals([method, path, headers], [
    "POST",
    "/visits",
    { "content-type": "application/json" },
  ]);
  const record = new TextDecoder().decode(recordOf({ id: 1_000_000_000, ...JSON.parse(body) }));
  assertEquals(record, `{"id":1000000000,${body.slice(1)}`);
});

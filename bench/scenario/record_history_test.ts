import { assertEquals } from "@std/assert";
import { createRecordHistory } from "./record_history.ts";

Deno.test("withdraw() drops a change that was not made: the record is as it was before", () => {
  const history = createRecordHistory({
    crc32s: new Uint32Array([0xa0]),
    lengths: new Uint32Array([100]),
  });
  const made = { crc32: 0xa1, bytes: 101, sentMs: 1_000, acknowledgedMs: 1_010 };
  const given = { crc32: 0xa2, bytes: 102, sentMs: 2_000, acknowledgedMs: Infinity };
  const owner = () => history.ownerOf(given);
  const kind = (body: { crc32: number; bytes: number }) =>
    history.compare(0, body, 3_000, 3_001).kind;
  history.add(0, made);
  history.add(0, given);
  assertEquals([kind(made), kind(given), owner()], ["right", "right", 0]);
  history.withdraw(0);
  assertEquals([kind(made), kind(given), owner()], ["right", "none", undefined]);
  assertEquals(history.latest(0), made);
  history.withdraw(0);
  assertEquals(history.latest(0).crc32, 0xa0);
});

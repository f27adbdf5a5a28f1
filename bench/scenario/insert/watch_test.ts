import { assertEquals } from "@std/assert";
import { firstId } from "./visits.ts";
import { mostAhead, SeenRows } from "./watch.ts";

Deno.test("SeenRows tells until when a row was absent", () => {
  const seen = new SeenRows();
  seen.add(100, []);
  seen.add(200, [firstId, firstId + 3]);
  assertEquals([seen.highest, seen.missing], [firstId + 3, [firstId + 1, firstId + 2]]);
  seen.add(300, [firstId + 1, firstId + 100_000]);
  const absentAt = [0, 1, 2, 3, 4, 100_000, 200_000].map((id) => seen.absentAtMs(firstId + id));
  assertEquals(absentAt, [100, 200, 300, 100, 300, 200, 300]);
});

Deno.test("SeenRows knows of no moment at which a row was absent that the first poll saw", () => {
  const seen = new SeenRows();
  assertEquals(seen.absentAtMs(firstId), -Infinity);
  seen.add(100, [firstId]);
  assertEquals(seen.absentAtMs(firstId), -Infinity);
});

Deno.test("SeenRows keeps no id far above the others: its row was never there, and those between are not missing", () => {
  const seen = new SeenRows();
  seen.add(100, [firstId, firstId + mostAhead, Number.MAX_SAFE_INTEGER]);
  assertEquals([seen.highest, seen.missing], [firstId, []]);
  seen.add(200, [firstId + 1]);
  assertEquals(seen.absentAtMs(firstId + mostAhead), 200);
});

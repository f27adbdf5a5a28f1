import { assert, assertEquals } from "@std/assert";
import { labelPlaces } from "./label_places.ts";

const area = { left: 0, right: 400, top: 0, bottom: 200 };

Deno.test("labelPlaces() puts a label to the right of its mark, and to the left at the edge", () => {
  const [middle, edge] = labelPlaces([
    { x: 100, y: 50, reach: 5, width: 80 },
    { x: 390, y: 150, reach: 5, width: 80 },
  ], area);
  assertEquals(middle, { x: 112, y: 50, anchor: "start" });
  assertEquals(edge, { x: 378, y: 150, anchor: "end" });
});

Deno.test("labelPlaces() keeps labels apart, and leaves out what finds no place", () => {
  const items = Array.from({ length: 40 }, () => ({ x: 200, y: 100, reach: 5, width: 150 }));
  const places = labelPlaces(items, area).filter((place) => place !== undefined);
  assert(places.length > 8 && places.length < items.length, `${places.length} places`);
  for (const [index, a] of places.entries()) {
    for (const b of places.slice(index + 1)) {
      assert(a.anchor !== b.anchor || Math.abs(a.y - b.y) >= 20, `${a.y} ${b.y}`);
    }
  }
});

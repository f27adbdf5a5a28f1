import { assertEquals } from "@std/assert";
import { createRandom } from "../../lib/random.ts";
import { isMissing } from "../../upstream/item.ts";
import { drawItems } from "./items.ts";

Deno.test("a load asks for so few ids that a cache would pay off; checks ask for none of them", () => {
  const items = drawItems(createRandom(1));
  assertEquals(new Set(items.ofLoad).size, 1_000);
  const missing = items.ofLoad.filter(isMissing).length;
  assertEquals(missing > 0 && missing < 50, true, `${missing} are missing`);
  const others = Array.from({ length: 500 }, () => items.fresh());
  assertEquals(others.some(isMissing), false);
  assertEquals(isMissing(items.missing()), true);
  assertEquals(new Set([...items.ofLoad, ...others]).size, 1_500);
});

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { join } from "@std/path";
import { pngSize } from "../../testing/png.ts";
import { keptPngRenderer } from "./kept_png.ts";

const svgOf = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10" fill="${color}"/></svg>`;

Deno.test("keptPngRenderer() renders each picture once, and again what it was rendered from is another", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const namesIn = () => Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  const pngs: Uint8Array[] = [];
  {
    await using renderer = keptPngRenderer(folder);
    pngs.push(await renderer.render(svgOf("red")), await renderer.render(svgOf("blue")));
    pngs.push(await renderer.render(svgOf("red"), 40));
  }
  assertEquals(pngs.map(pngSize), [
    { width: 20, height: 10 },
    { width: 20, height: 10 },
    { width: 40, height: 20 },
  ]);
  assertNotEquals(pngs[0], pngs[1]);
  const names = await namesIn();
  assertEquals(names.length, 3);
  assert(names.every((name) => /^[0-9a-f]{64}\.png$/.test(name)), `${names}`);

  // What is there is not rendered: it is what was put there.
  for (const name of names) await Deno.writeTextFile(join(folder, name), "kept");
  {
    await using renderer = keptPngRenderer(folder);
    assertEquals(new TextDecoder().decode(await renderer.render(svgOf("red"))), "kept");
    assertEquals(pngSize(await renderer.render(svgOf("green"))), { width: 20, height: 10 });
  }
  await Deno.remove(folder, { recursive: true });
});

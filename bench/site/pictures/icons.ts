/** The site's icon as PNG, for what takes no SVG: tabs of some browsers, and home screens. */
import type { WriteDerived } from "../derived_files.ts";
import type { PngRenderer } from "./png.ts";

/** In pixels. */
const iconSizes = [64, 180, 512] as const;

/** Writes `icons/<size>.png`. */
export async function writeIcons({ render }: PngRenderer, write: WriteDerived): Promise<void> {
  const svg = await Deno.readTextFile(
    new URL("../../../site/static/favicon.svg", import.meta.url),
  );
  for (const pixels of iconSizes) {
    await write(`static/icons/${pixels}.png`, await render(svg, pixels));
  }
}

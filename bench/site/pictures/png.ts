/**
 * PNG of pictures, for those who do not show SVG. Rendered by resvg with the letters of Inter (SIL Open Font License 1.1), both
 * from packages that the lock file pins: no font of the machine is used, so that a picture is the same everywhere.
 */
import { join } from "@std/path";

/** Renders pictures, several at a time, until it is disposed of. */
export interface PngRenderer extends AsyncDisposable {
  /** Returns the bytes of a PNG; `width` is in pixels, that of the picture by default. */
  render(svg: string, width?: number): Promise<Uint8Array>;
}

const means = import.meta.resolve("./resvg.ts");
/** What is used of it; to name its own types would make it a part of every program. */
interface Means {
  letters: readonly Uint8Array<ArrayBuffer>[];
  renderAsync(svg: string, options: {
    font: { fontFiles: string[]; loadSystemFonts: boolean; defaultFontFamily: string };
    fitTo: { mode: "original" } | { mode: "width"; value: number };
  }): Promise<{ asPng(): Uint8Array }>;
}

/** What a picture depends on besides its SVG and width: names with versions, and which letters are used. */
export const pngMeans: readonly string[] = [
  ...["@resvg/resvg-js", "@expo-google-fonts/inter"].map((name) => import.meta.resolve(name)),
  await Deno.readTextFile(new URL(means)),
];

/**
 * Returns a renderer; it keeps the fonts as files, since resvg takes only those.
 *
 * What it needs must have been fetched before the program began, as the recipes of `justfile` do: see `_pictures` there.
 */
export async function pngRenderer(): Promise<PngRenderer> {
  const { renderAsync, letters }: Means = await import(means);
  const folder = await Deno.makeTempDir({ prefix: "backbench-fonts-" });
  const fontFiles = letters.map((_, index) => join(folder, `${index}.ttf`));
  await Promise.all(letters.map((font, index) => Deno.writeFile(fontFiles[index]!, font)));
  const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: "Inter" };
  return {
    render: async (svg, width) => {
      const fitTo = width === undefined
        ? { mode: "original" as const }
        : { mode: "width" as const, value: width };
      return (await renderAsync(svg, { font, fitTo })).asPng();
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

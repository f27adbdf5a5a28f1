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

const resvg = "@resvg/resvg-js";
/** What is used of it. */
interface Resvg {
  renderAsync(svg: string, options: {
    font: { fontFiles: string[]; loadSystemFonts: boolean; defaultFontFamily: string };
    fitTo: { mode: "original" } | { mode: "width"; value: number };
  }): Promise<{ asPng(): Uint8Array }>;
}
const letters = ["400Regular/Inter_400Regular", "700Bold/Inter_700Bold"]
  .map((name) => `@expo-google-fonts/inter/${name}.ttf`);

/** What a picture depends on besides its SVG and width: names with versions. */
export const pngMeans: readonly string[] = [resvg, ...letters].map((name) =>
  import.meta.resolve(name)
);

/** Returns a renderer; it keeps the fonts as files, since resvg takes only those. */
export async function pngRenderer(): Promise<PngRenderer> {
  // Most commands make no pictures. Deno fetches what is imported by a name that it can read, also where it is imported
  // later; not what is imported by a variable.
  const { renderAsync }: Resvg = await import(resvg);
  const fonts: { default: Uint8Array }[] = await Promise.all(
    letters.map((name) => import(name, { with: { type: "bytes" } })),
  );
  const folder = await Deno.makeTempDir({ prefix: "backbench-fonts-" });
  const fontFiles = fonts.map((_, index) => join(folder, `${index}.ttf`));
  await Promise.all(
    fonts.map(({ default: font }, index) => Deno.writeFile(fontFiles[index]!, font)),
  );
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

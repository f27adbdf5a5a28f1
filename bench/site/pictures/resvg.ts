/**
 * What renders pictures: resvg, and the letters of Inter in two weights. To be imported by a variable: Deno fetches before a
 * program what it imports by a literal, and most commands make no pictures.
 */
import regular from "@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf" with {
  type: "bytes",
};
import bold from "@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf" with { type: "bytes" };

export { renderAsync } from "@resvg/resvg-js";

/** Font files. */
export const letters: readonly Uint8Array<ArrayBuffer>[] = [regular, bold];

/** An implementation that builds and starts at once: the control under another id. */
import { silent } from "../lib/report.ts";
import { ensureNative } from "../tools/tools.ts";
import type { Place } from "./place.ts";

/** Adds it to a place, and returns its id. */
export async function addQuick(place: Place): Promise<string> {
  const { signal } = new AbortController();
  const { control } = await ensureNative({ report: silent, signal });
  await place.addOwn("quick", { start: [control] });
  return "quick";
}

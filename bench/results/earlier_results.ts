/**
 * Earlier results: what the run of 21 November 2026 and the noise measurement of that day have, and later files have
 * otherwise. This file goes when others have replaced both in `site/data`: a key that is absent in earlier results is
 * required from then on, and one of earlier results only goes with it.
 */
import type { z } from "zod";

/** Makes a key that every later file has. */
export function absentInEarlier<T extends z.ZodType>(schema: T, meaning: string): z.ZodOptional<T> {
  return schema.optional().describe(`${meaning}; absent in earlier results`);
}

/** Makes a key that no later file has. */
export function inEarlierOnly<T extends z.ZodType>(schema: T, meaning: string): z.ZodOptional<T> {
  return schema.optional().describe(`earlier results only: ${meaning}`);
}

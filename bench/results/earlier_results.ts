/**
 * Earlier results: what the noise measurement of 21 November 2026, or the run of `jwt-mysql` of the next day, lacks, and
 * later files have. This file goes when others have replaced them in `site/data`: each key is required from then on.
 */
import type { z } from "zod";

/** Makes a key that every later file has. */
export function absentInEarlier<T extends z.ZodType>(schema: T, meaning: string): z.ZodOptional<T> {
  return schema.optional().describe(`${meaning}; absent in earlier results`);
}

/** The value types of result files, in base units. */
import { z } from "zod";

export const count = z.number().int().nonnegative();
export const positiveCount = z.number().int().positive();
export const seconds = z.number().nonnegative();
export const bytes = z.number().int().nonnegative();
export const perSecond = z.number().nonnegative();
/** XML has no control characters, not even escaped: one in a name would break a picture or a feed. */
export const text = z.string().min(1)
  .overwrite((all) => all.replaceAll(/[^\P{Cc}\n\t]|[\uFFFE\uFFFF]/gu, " "));
/** A name: pages measure its width letter by letter. */
export const nameText = text.max(200);
/** An address that a page may link: `javascript:` would run in it. */
export const webAddress = z.url({ protocol: /^https?$/ });
export const instant = z.iso.datetime({ precision: 3 });

export const latencySchema = z.strictObject({
  encoding: z.literal("HdrHistogram-V2-compressed-base64"),
  unit: z.literal("microseconds"),
  significantDigits: z.number().int(),
  histogram: z.string().describe("of the correct answers; histograms of one unit can be added"),
});

const percentiles = { p50: seconds, p90: seconds, p99: seconds, p999: seconds, max: seconds };

export const percentilesSchema = z.strictObject({
  ...percentiles,
  atLeast: z.array(z.enum(Object.keys(percentiles) as (keyof typeof percentiles)[])).optional()
    .describe(
      "percentiles that are at least what stands there, because they fall among requests that were never answered; absent where none does",
    ),
}).meta({ id: "percentiles" });
export type Percentiles = z.infer<typeof percentilesSchema>;

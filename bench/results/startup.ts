/** The starts of a result over all blocks. */
import type { Startup, StartupSide } from "./protocols_schema.ts";

/** Returns every start of one side, in order. */
export function startsOf({ blocks }: Startup, side: "subject" | "control"): StartupSide {
  return {
    seconds: blocks.flatMap((block) => block[side].seconds),
    memoryBytes: blocks.flatMap((block) => block[side].memoryBytes),
  };
}

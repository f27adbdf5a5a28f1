/** The definition of resources: what each role used during a load, and what was left of the machine. */
import { z } from "zod";
import { machineUseSchema } from "./load_schema.ts";
import { bytes, count, seconds } from "./values.ts";

const roleSchema = z.strictObject({
  cpuSeconds: seconds.describe("user and system time of all its processes during the load"),
  cpuSecondsPerAnswer: seconds.optional().describe("per correct answer"),
  busiestThreadCpuSeconds: seconds.describe("of the thread that used the most"),
  busiestThreadWaitSeconds: seconds.optional().describe(
    "how long that thread was ready and waited for a processor; absent in earlier results",
  ),
  peakMemoryBytes: bytes,
  peakThreads: count,
  contextSwitches: count.describe(
    "voluntary and involuntary, during the load, of threads that had not ended",
  ),
}).meta({ id: "role" });

export const resourcesSchema = z.strictObject({
  source: z.enum(["proc"]).describe("where these figures come from"),
  memorySource: z.enum(["pss", "rss"]).describe(
    "pss (proportional set size): shared pages counted once; of a database in a container, rss where pss may not be read",
  ),
  subject: roleSchema,
  database: roleSchema.optional().describe("absent where its process is not visible"),
  upstream: roleSchema.optional().describe("absent where the scenario needs none"),
  generator: roleSchema,
  harness: roleSchema,
  machine: machineUseSchema,
}).meta({ id: "resources" });

export type Resources = z.infer<typeof resourcesSchema>;
export type Role = z.infer<typeof roleSchema>;

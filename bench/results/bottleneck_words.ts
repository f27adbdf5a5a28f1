import type { Frame } from "./protocols_schema.ts";

/** What bounds a load, in words. */
export const bottleneckWords: Record<Frame["bottleneck"], string> = {
  subject: "the implementation itself",
  database: "the database",
  upstream: "the upstream",
  pool: "the pool of database connections",
  generator: "the load generator",
  undecided: "undecided",
};

import type { Frame } from "../results/protocols_schema.ts";

/** What bounds a load, in words. */
export const bottleneckWords: Record<Frame["bottleneck"], string> = {
  subject: "the implementation itself",
  database: "the database",
  upstream: "the service that it calls",
  pool: "the pool of database connections",
  generator: "the load generator",
  undecided: "undecided",
};

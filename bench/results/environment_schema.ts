/** What a run measured and on what: the implementation, the sources and tools, the machine, the database. */
import { z } from "zod";
import { bytes, count, nameText, positiveCount, text, webAddress } from "./values.ts";

export const implIdSchema = z.string().regex(
  /^[a-z][a-z0-9-]*$/,
  "expected a lower-case letter, then lower-case letters, digits and hyphens",
);
/** The id of what every implementation is compared with. */
export const controlId = "control";
/** The id of what answers every request alike. */
export const nullServerId = "null-server";
/** The ids of the harness's own servers, which no implementation may have. */
export const ownServerIds: readonly string[] = [controlId, nullServerId];

export const implClassSchema = z.enum(["standard", "tuned"]);

const versioned = z.strictObject({
  name: nameText.describe("the package's name, as its lock file has it"),
  version: text.optional()
    .describe(
      "read from the lock file or the runtime; absent where neither could be read",
    ),
});

export const implSchema = z.strictObject({
  id: implIdSchema.describe("the folder's name under impls/"),
  name: nameText,
  language: nameText,
  class: implClassSchema,
  website: webAddress,
  note: text.optional().describe("what readers of its figures must know"),
  runtime: versioned,
  framework: versioned,
  driver: versioned.optional().describe("absent where the scenario needs no database"),
  jwt: versioned.optional().describe("absent where the scenario needs no tokens"),
  client: versioned.optional().describe(
    "HTTP client; absent where the scenario needs no upstream",
  ),
});

export const machineSchema = z.strictObject({
  os: text,
  kernel: text,
  architecture: text,
  cpuModel: text,
  cpuCount: positiveCount,
  memoryBytes: bytes,
  virtualization: text.optional().describe("from the processor's flags; absent on bare metal"),
  idle: z.literal("polls").optional().describe(
    "idle processors poll for work, as `/dev/cpu_dma_latency` makes them; absent if they do not, or if the kernel does not tell",
  ),
});

export const provenanceSchema = z.strictObject({
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  implCommit: z.string().regex(/^[0-9a-f]{40}$/).optional().describe(
    "of the implementation alone, if it is the base of a change; absent where it is of the same commit",
  ),
  sourcesSha256: z.string().regex(/^[0-9a-f]{64}$/).optional().describe(
    "identifies the implementation's sources and lock file: `git ls-tree -r --full-name <commit> impls/<id> | grep -v '/impl\\.toml$' | sha256sum`, of implCommit where there is one; absent from dirty results",
  ),
  dirty: z.boolean().describe("files that can affect the result differed from the commit"),
  command: text.describe("repeats this measurement from the repository's root"),
  build: z.array(text).describe("the command that built the implementation, as run in its folder"),
  start: z.array(text).describe("the command that started it, as run in its folder"),
  tools: z.record(text, text).describe("versions of what measured, by name"),
});

export const databaseSchema = z.strictObject({
  provider: z.enum(["DATABASE_URL", "mysqld", "packages", "docker", "podman"]),
  engine: z.enum(["MySQL", "MariaDB"]),
  version: text,
  variables: z.record(text, z.string()).describe(
    "server variables that affect figures, as the server reports them",
  ),
  rows: count.optional().describe("absent where the scenario's table is empty at first"),
  rowsSha256: z.string().regex(/^[0-9a-f]{64}$/).optional().describe(
    "identifies the data; absent likewise",
  ),
});

export type ImplFacts = z.infer<typeof implSchema>;
export type Machine = z.infer<typeof machineSchema>;

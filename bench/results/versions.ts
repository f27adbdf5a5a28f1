/** The versions of a result's parts, and which changed between two results. */
import type { Result } from "./result_schema.ts";

/** A part with a version, of the implementation or its environment. */
export type PartName =
  | "runtime"
  | "framework"
  | "driver"
  | "jwt"
  | "client"
  | "sources"
  | "commands"
  | "database"
  | "kernel"
  | "oha";

/** The version is absent if it could not be read. */
export interface Part {
  name: string;
  version?: string;
}

/** Each part that a result has. */
export type Versions = Partial<Record<PartName, Part>>;

/** A changed version, as text: `MySQL 9.7.4`. */
export interface VersionChange {
  what: PartName;
  before: string;
  now: string;
}

/** The parts that an implementation names. */
export const namedParts = ["runtime", "framework", "driver", "jwt", "client"] as const;

/** All parts of an implementation: with another version of one, it is another program. */
export const ownParts = [...namedParts, "sources", "commands"] as const;

/** What all implementations of a run share. */
export const sharedParts = ["database", "kernel", "oha"] as const;

/** Returns the parts of a result; those that its scenario does not need are absent. */
export function versionsOf({ runId, impl, database, machine, provenance }: Result): Versions {
  const { runtime, framework, driver, jwt, client } = impl;
  const { tools: { oha }, build, start } = provenance;
  return {
    runtime,
    framework,
    driver,
    jwt,
    client,
    sources: sourcesOf(runId, provenance),
    commands: {
      name: "commands",
      version: [build, start].map((command) => command.join(" ")).join(", then "),
    },
    database: database && { name: database.engine, version: database.version },
    kernel: { name: "kernel", version: machine.kernel },
    oha: oha === undefined ? undefined : { name: "oha", version: oha },
  };
}

/** Results of before sources had a name have none. */
function sourcesOf(
  runId: string,
  { dirty, sourcesSha256 }: Result["provenance"],
): Part | undefined {
  if (dirty) return { name: "sources", version: `uncommitted in ${runId}` };
  return sourcesSha256 === undefined
    ? undefined
    : { name: "sources", version: sourcesSha256.slice(0, 10) };
}

/** Returns what changed; an unknown version does not count as changed. */
export function versionChanges(
  before: Versions,
  now: Versions,
  parts: readonly PartName[],
): VersionChange[] {
  return parts.flatMap((what) => {
    const [was, is] = [before[what], now[what]];
    if (was === undefined || is === undefined || isSame(was, is)) return [];
    return [{ what, before: partText(was), now: partText(is) }];
  });
}

/** Returns a part as text: `koa 3.3.0`. */
export function partText({ name, version }: Part): string {
  return version === undefined ? name : `${name} ${version}`;
}

function isSame(a: Part, b: Part): boolean {
  return a.name === b.name &&
    (a.version === undefined || b.version === undefined || a.version === b.version);
}

/** Of which parts is a result, in which versions, and which changed from one result to another? */
import type { Result } from "./result_schema.ts";

/** A part that has a version: of the implementation, or around it. */
export type PartName = "runtime" | "framework" | "driver" | "jwt" | "database" | "kernel" | "oha";

/** The version is absent where it could not be read. */
export interface Part {
  name: string;
  version?: string;
}

/** Each part that a result has. */
export type Versions = Partial<Record<PartName, Part>>;

/** A version that is not what it was, as text: `MySQL 9.7.4`. */
export interface VersionChange {
  what: PartName;
  before: string;
  now: string;
}

/** What an implementation is made of. */
export const ownParts = ["runtime", "framework", "driver", "jwt"] as const;

/** What all implementations of a run share. */
export const sharedParts = ["database", "kernel", "oha"] as const;

/** Returns the parts of a result; what its scenario has no need of is absent. */
export function versionsOf({ impl, database, machine, provenance }: Result): Versions {
  const { runtime, framework, driver, jwt } = impl;
  const { oha } = provenance.tools;
  return {
    runtime,
    framework,
    driver,
    jwt,
    database: database && { name: database.engine, version: database.version },
    kernel: { name: "kernel", version: machine.kernel },
    oha: oha === undefined ? undefined : { name: "oha", version: oha },
  };
}

/** Returns what changed; a version that could not be read is not known to have. */
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

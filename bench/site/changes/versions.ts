/** Which versions differ between two runs: an implementation's own, and those around all of them. */
import type { ComparedPair } from "./changes.ts";
import type { ChangeFactsOfImpl, Version } from "./facts.ts";

/** A version that is not what it was, as text: `MySQL 9.7.4`. */
export interface VersionChange {
  what: "runtime" | "framework" | "driver" | "jwt" | "database" | "kernel" | "oha";
  before: string;
  now: string;
}

/** Returns what changed in an implementation: its runtime and its packages. */
export function ownChanges(pair: ComparedPair): VersionChange[] {
  return versionChanges(pair, ["runtime", "framework", "driver", "jwt"]);
}

/** Returns what changed around any of the implementations, each change once. */
export function environmentChanges(pairs: ComparedPair[]): VersionChange[] {
  const changes = pairs.flatMap((pair) => versionChanges(pair, ["database", "kernel", "oha"]));
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

function versionChanges(
  { here, there }: ComparedPair,
  kinds: (keyof ChangeFactsOfImpl["versions"])[],
): VersionChange[] {
  return kinds.flatMap((what) => {
    const [now, before] = [here.versions[what], there.versions[what]];
    if (now === undefined || before === undefined || isSame(now, before)) return [];
    return [{ what, before: nameOf(before), now: nameOf(now) }];
  });
}

/** A version that could not be read is not known to have changed. */
function isSame(a: Version, b: Version): boolean {
  return a.name === b.name &&
    (a.version === undefined || b.version === undefined || a.version === b.version);
}

function nameOf({ name, version }: Version): string {
  return version === undefined ? name : `${name} ${version}`;
}

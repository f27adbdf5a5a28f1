/**
 * Record history: what was the right answer for a user at a moment? The digest of each user's body as the table was
 * read, and of each version of a row that has changed since, with the time of the change.
 */
import { type BodyDigest, isSameDigest } from "../body_digest.ts";
import type { Users } from "./known_users.ts";

/** A version of a user's row. Times are those of `performance.now()`. */
export interface Version extends BodyDigest {
  /** The column whose change made it; absent for the row as the table was read. */
  column?: string;
  /** When the change was sent: the row was not so before. */
  sentMs: number;
  /** When the change was acknowledged: from then on, the row was so; Infinity until then. */
  acknowledgedMs: number;
}

/** What a body is to a user, at the time of a request. */
export type Likeness =
  | { kind: "right" }
  /** A version that the row had before; `version` is the one that replaced it. */
  | { kind: "stale"; version: Version }
  /** A version that the row had only afterwards. */
  | { kind: "early"; version: Version }
  | { kind: "none" };

/** The digests of all users' bodies over time. */
export interface RecordHistory {
  /** Adds a version that is about to be sent; its `acknowledgedMs` is set later. */
  add(user: number, version: Version): void;
  /**
   * Tells what a body is to a user whose row was read at some time from `fromMs` to `toMs`. A version is right from when its
   * change was sent until the next change was acknowledged.
   */
  compare(user: number, body: BodyDigest, fromMs: number, toMs: number): Likeness;
  /** Returns the user who has or had this body. */
  ownerOf(body: BodyDigest): number | undefined;
  /** Returns the last version of a row. */
  latest(user: number): BodyDigest;
  /** Drops all versions but the last of each row. */
  forgetPast(): void;
  /** Drops all changes: every row is as the table was read. */
  reset(): void;
}

const right: Likeness = { kind: "right" };
const none: Likeness = { kind: "none" };

/** Returns the history of a table in which nothing has changed yet. */
export function createRecordHistory(
  { crc32s, lengths }: Pick<Users, "crc32s" | "lengths">,
): RecordHistory {
  const changed = new Map<number, Version[]>();
  let owners: Map<number, number> | undefined;

  const original = (user: number): BodyDigest => ({ crc32: crc32s[user]!, bytes: lengths[user]! });
  const isOriginal = (user: number, { crc32, bytes }: BodyDigest) =>
    crc32 === crc32s[user] && bytes === lengths[user];

  return {
    add(user, version) {
      owners = undefined;
      const versions = changed.get(user);
      if (versions !== undefined) return void versions.push(version);
      const first = { ...original(user), sentMs: -Infinity, acknowledgedMs: -Infinity };
      changed.set(user, [first, version]);
    },
    compare(user, body, fromMs, toMs) {
      const versions = changed.get(user);
      if (versions !== undefined) return compareVersions(versions, body, fromMs, toMs);
      return isOriginal(user, body) ? right : none;
    },
    ownerOf(body) {
      owners ??= indexOwners(crc32s, lengths, changed);
      return owners.get(keyOf(body));
    },
    latest: (user) => changed.get(user)?.at(-1) ?? original(user),
    forgetPast() {
      owners = undefined;
      for (const versions of changed.values()) versions.splice(0, versions.length - 1);
    },
    reset() {
      owners = undefined;
      changed.clear();
    },
  };
}

/** A row may have the same body in several versions: then the most favourable counts. */
function compareVersions(
  versions: Version[],
  body: BodyDigest,
  fromMs: number,
  toMs: number,
): Likeness {
  let best = none;
  for (const [index, version] of versions.entries()) {
    if (!isSameDigest(version, body)) continue;
    const next = versions[index + 1];
    if (next !== undefined && next.acknowledgedMs < fromMs) {
      best = { kind: "stale", version: next };
    } else if (version.sentMs > toMs) {
      if (best.kind === "none") best = { kind: "early", version };
    } else {
      return right;
    }
  }
  return best;
}

function indexOwners(
  crc32s: Uint32Array,
  lengths: Uint32Array,
  changed: ReadonlyMap<number, Version[]>,
): Map<number, number> {
  const owners = new Map<number, number>();
  for (const [user, crc32] of crc32s.entries()) {
    owners.set(keyOf({ crc32, bytes: lengths[user]! }), user);
  }
  for (const [user, versions] of changed) {
    for (const version of versions) owners.set(keyOf(version), user);
  }
  return owners;
}

/** One number for both, exact up to lengths of 2 MB. */
function keyOf({ crc32, bytes }: BodyDigest): number {
  return bytes * 2 ** 32 + crc32;
}

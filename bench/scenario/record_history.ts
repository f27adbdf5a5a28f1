/**
 * Record history: what was the right answer for a record at a moment? The digest of each record's body at first, and of
 * each version since, with the time of the change. Records are numbered from 0.
 */
import { type BodyDigest, isSameDigest } from "./body_digest.ts";

/** A version of a record. Times are those of `performance.now()`. */
export interface Version extends BodyDigest {
  /** The column whose change made it; absent for the first version, and for records without columns. */
  column?: string;
  /** When the change was sent: the record was not so before. */
  sentMs: number;
  /** When the change was acknowledged: from then on, the record was so; Infinity until then. */
  acknowledgedMs: number;
}

/** The body of each record at first. */
export interface FirstBodies {
  crc32s: Uint32Array;
  /** In bytes. */
  lengths: Uint32Array;
}

/** What a body is to a record, at the time of a request. */
export type Likeness =
  | { kind: "right" }
  /** A version that the record had before; `version` is the one that replaced it. */
  | { kind: "stale"; version: Version }
  /** A version that the record had only afterwards. */
  | { kind: "early"; version: Version }
  | { kind: "none" };

/** The digests of all records' bodies over time. */
export interface RecordHistory {
  /** Adds a version that is about to be sent; its `acknowledgedMs` is set later. */
  add(record: number, version: Version): void;
  /** Drops the last version of a record, whose change was not made. */
  withdraw(record: number): void;
  /**
   * Tells what a body is to a record that was read at some time from `fromMs` to `toMs`. A version is right from when
   * its change was sent until the next change was acknowledged.
   */
  compare(record: number, body: BodyDigest, fromMs: number, toMs: number): Likeness;
  /** Returns the record that has or had this body. */
  ownerOf(body: BodyDigest): number | undefined;
  /** Returns the last version of a record. */
  latest(record: number): BodyDigest;
  /** Drops all versions but the last of each record. */
  forgetPast(): void;
  /** Drops all changes: every record is as it was at first. */
  reset(): void;
}

const right: Likeness = { kind: "right" };
const none: Likeness = { kind: "none" };

/** Returns the history of records of which none has changed yet. */
export function createRecordHistory({ crc32s, lengths }: FirstBodies): RecordHistory {
  const changed = new Map<number, Version[]>();
  let owners: Map<number, number> | undefined;

  const original = (record: number): BodyDigest => ({
    crc32: crc32s[record]!,
    bytes: lengths[record]!,
  });

  return {
    add(record, version) {
      owners = undefined;
      const versions = changed.get(record);
      if (versions !== undefined) return void versions.push(version);
      const first = { ...original(record), sentMs: -Infinity, acknowledgedMs: -Infinity };
      changed.set(record, [first, version]);
    },
    withdraw(record) {
      owners = undefined;
      changed.get(record)?.pop();
    },
    compare(record, body, fromMs, toMs) {
      const versions = changed.get(record);
      if (versions !== undefined) return compareVersions(versions, body, fromMs, toMs);
      return isSameDigest(original(record), body) ? right : none;
    },
    ownerOf(body) {
      owners ??= indexOwners(crc32s, lengths, changed);
      return owners.get(keyOf(body));
    },
    latest: (record) => changed.get(record)?.at(-1) ?? original(record),
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

/** A record may have the same body in several versions: then the most favourable counts. */
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
  for (const [record, crc32] of crc32s.entries()) {
    owners.set(keyOf({ crc32, bytes: lengths[record]! }), record);
  }
  for (const [record, versions] of changed) {
    for (const version of versions) owners.set(keyOf(version), record);
  }
  return owners;
}

/** One number for both, exact up to lengths of 2 MB. */
function keyOf({ crc32, bytes }: BodyDigest): number {
  return bytes * 2 ** 32 + crc32;
}

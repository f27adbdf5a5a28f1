/** Digests of bodies: what the load generator keeps of an answer's body, enough to tell it from any other. */
import { crc32 } from "node:zlib";
import { formatInteger } from "../lib/format_integer.ts";
import type { Answers } from "./scenario.ts";

/** What is known of a body. */
export interface BodyDigest {
  /** CRC-32 (IEEE). */
  crc32: number;
  /** Its length. */
  bytes: number;
}

/** Returns the digest of a body. */
export function bodyDigest(body: Uint8Array): BodyDigest {
  return { crc32: crc32(body), bytes: body.length };
}

/** Returns the digest of the body of an answer, given its index. */
export function digestAt(
  { bodyCrc32, bodyBytes }: Pick<Answers, "bodyCrc32" | "bodyBytes">,
  index: number,
): BodyDigest {
  return { crc32: bodyCrc32[index]!, bytes: bodyBytes[index]! };
}

/** Tells whether two bodies are the same. */
export function isSameDigest(a: BodyDigest, b: BodyDigest): boolean {
  return a.crc32 === b.crc32 && a.bytes === b.bytes;
}

/** Describes a body that is known by its digest only. */
export function describeDigest({ crc32, bytes }: BodyDigest): string {
  return `${formatInteger(bytes)} bytes with CRC-32 ${crc32.toString(16).padStart(8, "0")}`;
}

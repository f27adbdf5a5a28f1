import { encodeHex } from "@std/encoding";

/** Returns the SHA-256 of a text in UTF-8, in hexadecimal. */
export async function sha256(text: string): Promise<string> {
  return encodeHex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** Returns the SHA-256 of what something is made from: a name for it in a cache. */
export function digest(parts: readonly unknown[]): Promise<string> {
  return sha256(JSON.stringify(parts));
}

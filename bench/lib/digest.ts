import { encodeHex } from "@std/encoding";

/** Returns the SHA-256 of what something is made from, in hexadecimal: a name for it in a cache. */
export async function digest(parts: readonly (string | number | undefined)[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  return encodeHex(await crypto.subtle.digest("SHA-256", bytes));
}

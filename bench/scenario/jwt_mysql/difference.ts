import { excerpt } from "../checks.ts";

/** Describes how and where a body differs from the correct one. Both should be JSON objects. */
export function describeDifference(body: Uint8Array, expected: Uint8Array): string {
  const position = body.findIndex((byte, index) => byte !== expected[index]);
  const at = position === -1 ? Math.min(body.length, expected.length) : position;
  return `body has ${kindOf(body, expected)}, from byte ${at} on: ${excerpt(body, at)}`;
}

function kindOf(body: Uint8Array, expected: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return "bytes that are not UTF-8";
  }
  const got = parseObject(text);
  const want = parseObject(new TextDecoder().decode(expected));
  if (got === undefined || want === undefined) return "something else than one JSON object";

  const missing = [...want.keys()].filter((key) => !got.has(key));
  if (missing.length > 0) return `no key ${missing.join(", ")}`;
  const extra = [...got.keys()].filter((key) => !want.has(key));
  if (extra.length > 0) return `an extra key ${extra.join(", ")}`;
  for (const [key, value] of want) {
    if (got.get(key) !== value) return `another value of "${key}", ${JSON.stringify(got.get(key))}`;
  }
  if ([...got.keys()].join() !== [...want.keys()].join()) {
    return `its keys in another order, ${[...got.keys()].join(" ")}`;
  }
  if (/\\/.test(text) && !/\\/.test(new TextDecoder().decode(expected))) {
    return "escaped letters that need no escape";
  }
  if (/\s/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, ""))) return "white space";
  return "the same values in another form";
}

function parseObject(text: string): Map<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return new Map(Object.entries(value));
  } catch {
    return undefined;
  }
}

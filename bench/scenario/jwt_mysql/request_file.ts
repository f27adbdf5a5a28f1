/** Request file: the requests of a load, one JSON object per line, as `load/oha.ts` describes them. */
import { Buffer } from "node:buffer";
import { hash, randomBytes } from "node:crypto";
import { type Kind, kinds, lifeSeconds, type RequestPlan } from "./request_plan.ts";

/** Whose tokens the lines carry, and how they are signed. */
export interface Signing {
  emails: readonly string[];
  /** Emails that no user has. */
  unknownEmails: readonly string[];
  /** The key of HS256, as text. */
  secret: string;
  random: () => number;
}

/** Returns the line of a request with a token. */
export function requestLine(token: string): string {
  return `{"headers":{"authorization":"Bearer ${token}"}}\n`;
}

/** Yields the lines of a plan. */
export function* requestLines(plan: RequestPlan, signing: Signing): Generator<string> {
  const { emails, unknownEmails, random } = signing;
  const sign = createSigner(Buffer.from(signing.secret));
  const signOtherwise = createSigner(randomBytes(32));
  const header = encode('{"alg":"HS256","typ":"JWT"}');
  const noneHeader = encode('{"alg":"none","typ":"JWT"}');
  const make: Record<Kind, (payload: string, user: number, exp: number) => string> = {
    "valid": (payload) => sign(`${header}.${payload}`),
    "expired": (payload) => sign(`${header}.${payload}`),
    "unknown user": (payload) => sign(`${header}.${payload}`),
    "signature changed": (payload) => changeSignature(sign(`${header}.${payload}`), random),
    "signed with another key": (payload) => signOtherwise(`${header}.${payload}`),
    "alg none": (payload) => `${noneHeader}.${payload}.`,
    "payload changed under its signature": (payload, user, exp) => {
      const other = emails[(user + 1) % emails.length]!;
      const [, , signature] = sign(`${header}.${payloadOf(other, exp)}`).split(".");
      return `${header}.${payload}.${signature}`;
    },
  };
  for (const [line, number] of plan.kind.entries()) {
    const kind = kinds[number]!;
    const [user, exp] = [plan.user[line]!, plan.exp[line]!];
    const email = (kind === "unknown user" ? unknownEmails : emails)[user]!;
    yield requestLine(make[kind](payloadOf(email, exp), user, exp));
  }
}

/** Replaces one of the last characters; not the very last, in which two bits mean nothing. */
function changeSignature(token: string, random: () => number): string {
  const at = token.length - 2 - Math.floor(random() * 8);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const place = letters.indexOf(token[at]!);
  const letter = letters[(place + 1 + Math.floor(random() * 63)) % 64];
  return `${token.slice(0, at)}${letter}${token.slice(at + 1)}`;
}

function payloadOf(email: string, exp: number): string {
  return encode(`{"email":${JSON.stringify(email)},"iat":${exp - lifeSeconds},"exp":${exp}}`);
}

/** The longest text that is signed: an email has up to 255 letters, of up to 6 bytes each in JSON. */
const longestText = 4_096;
/** The block of SHA-256, in bytes. */
const blockBytes = 64;

/**
 * Returns a function that adds the signature to header and payload: HMAC (RFC 2104) with SHA-256, in half the time that
 * `createHmac` takes, which makes a stream for each text.
 */
function createSigner(secret: Uint8Array): (signed: string) => string {
  const key = secret.length > blockBytes ? hash("sha256", secret, "buffer") : secret;
  const padded = (pad: number, bytes: number) => {
    const buffer = new Uint8Array(blockBytes + bytes).fill(pad, 0, blockBytes);
    for (const [at, byte] of key.entries()) buffer[at] = byte ^ pad;
    return buffer;
  };
  const inner = padded(0x36, longestText);
  const outer = padded(0x5c, 32);
  const text = inner.subarray(blockBytes);
  const encoder = new TextEncoder();
  return (signed) => {
    const { written } = encoder.encodeInto(signed, text);
    outer.set(hash("sha256", inner.subarray(0, blockBytes + written), "buffer"), blockBytes);
    return `${signed}.${hash("sha256", outer, "base64url")}`;
  };
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

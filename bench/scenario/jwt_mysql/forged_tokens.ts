import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";

/** Options for {@linkcode makeToken}. */
export interface TokenOptions {
  secret: string;
  header?: Record<string, unknown>;
  /** The HMAC of the signature; "sha256" by default. */
  hash?: "sha256" | "sha384" | "sha512";
}

/**
 * Makes a JWT (RFC 7519), valid or forged. Not with the library that the deno implementation uses, because a mistake
 * on both sides would go unnoticed, and libraries refuse to forge.
 */
export function makeToken(payload: unknown, options: TokenOptions): string {
  const { secret, header = { alg: "HS256", typ: "JWT" }, hash = "sha256" } = options;
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest("base64url")}`;
}

/** Returns the current time as in tokens: whole seconds since 1970. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Returns the claims of a token for a user, valid for an hour. */
export function claimsFor(email: unknown): Record<string, unknown> {
  return { email, iat: nowSeconds(), exp: nowSeconds() + 3600 };
}

/** A request with an invalid token. */
export interface Refusal {
  check: string;
  sent: string;
  headers: Record<string, string>;
}

/** Returns one request for each way in which a token can be invalid. */
export function refusals(email: string, otherEmail: string, secret: string): Refusal[] {
  const claims = claimsFor(email);
  const right = makeToken(claims, { secret });
  const [header, payload, signature] = right.split(".") as [string, string, string];
  const other = encode({ ...claims, email: otherEmail });
  const changed = (signature.startsWith("A") ? "B" : "A") + signature.slice(1);
  const none = (alg: string) => `${encode({ alg, typ: "JWT" })}.${payload}.`;
  const signedAs = (alg: string, hash: TokenOptions["hash"] = "sha256") =>
    makeToken(claims, { secret, header: { alg, typ: "JWT" }, hash });
  const withClaims = (more: Record<string, unknown>) =>
    makeToken({ ...claims, ...more }, { secret });
  const now = nowSeconds();
  const credentials = Buffer.from(`${email}:password`).toString("base64");

  const tokens: [check: string, token: string][] = [
    ["token of one part", header],
    ["token of two parts", `${header}.${payload}`],
    ["token of four parts", `${right}.${signature}`],
    ["token that is not base64url", "!!!.???.***"],
    ["token that is not JSON", makeRaw("not JSON", "nor this", secret)],
    ["payload that is not JSON", makeRaw(JSON.stringify({ alg: "HS256" }), "not JSON", secret)],
    ["signature changed", `${header}.${payload}.${changed}`],
    ["signature cut short", right.slice(0, -4)],
    ["signature stripped", `${header}.${payload}.`],
    ["payload changed under its signature", `${header}.${other}.${signature}`],
    ["signed with another key", makeToken(claims, { secret: `${secret}x` })],
    ["signed with an empty key", makeToken(claims, { secret: "" })],
    ["alg none", none("none")],
    ["alg none with a signature", `${none("none")}${signature}`],
    ["alg None", none("None")],
    ["alg nOnE", none("nOnE")],
    ["alg HS384", signedAs("HS384", "sha384")],
    ["alg HS512", signedAs("HS512", "sha512")],
    ["alg RS256 signed as HS256", signedAs("RS256")],
    ["alg ES256 signed as HS256", signedAs("ES256")],
    ["expired an hour ago", withClaims({ iat: now - 7200, exp: now - 3600 })],
    ["expired 3 s ago", withClaims({ iat: now - 3600, exp: now - 3 })],
    ["exp is 0", withClaims({ iat: 0, exp: 0 })],
    ["exp is negative", withClaims({ iat: -2, exp: -1 })],
    ["exp has a fraction, in the past", withClaims({ iat: now - 3600, exp: now - 3.5 })],
    // Not text of a time to come: RFC 7519 demands a number, but JJWT and PyJWT read text that holds one.
    ["exp is text, a time in the past", withClaims({ iat: now - 7200, exp: `${now - 3600}` })],
    ["exp is text without a time", withClaims({ exp: "never" })],
    ["not yet valid", withClaims({ nbf: now + 3600 })],
    ["no email claim", makeToken({ iat: now, exp: now + 3600, sub: email }, { secret })],
    ["email claim in capitals", makeToken({ EMAIL: email, iat: now, exp: now + 3600 }, { secret })],
    ["email is null", withClaims({ email: null })],
    ["email is a number", withClaims({ email: 1 })],
    ["email is a boolean", withClaims({ email: true })],
    ["email is an array", withClaims({ email: [email] })],
    ["email is an object", withClaims({ email: { email } })],
  ];
  const values: [check: string, authorization: string][] = [
    ["scheme Basic", `Basic ${credentials}`],
    ["scheme Digest", `Digest username="${email}", response="00"`],
    ["scheme Token", `Token ${right}`],
    ["token without a scheme", right],
    ["scheme without a token", "Bearer"],
    ["text after the token", `Bearer ${right} x`],
    ["token of three empty parts", "Bearer .."],
    ...tokens.map(([check, token]): [string, string] => [check, `Bearer ${token}`]),
  ];
  return [
    { check: "no Authorization header", sent: "GET / without Authorization", headers: {} },
    ...values.map(([check, authorization]) => ({
      check,
      sent: `GET / with Authorization: ${authorization}`,
      headers: { authorization },
    })),
  ];
}

/** Emails that no user has, each with what it tries. */
export function unknownEmails(email: string): { check: string; email: string }[] {
  return [
    { check: "unknown user", email: "nobody@backbench.invalid" },
    { check: "empty email", email: "" },
    { check: "SQL injection: OR", email: "' OR '1'='1" },
    { check: "SQL injection: OR in double quotes", email: `" OR "1"="1` },
    { check: "SQL injection: comment", email: `${email}' -- ` },
    {
      check: "SQL injection: UNION",
      email: "x' UNION SELECT email, first, last, city, county, age FROM users LIMIT 1 -- ",
    },
    { check: "SQL injection: second statement", email: "x'; SELECT * FROM users LIMIT 1; -- " },
    { check: "SQL injection: backslash", email: "\\' OR 1=1 -- " },
    { check: "SQL wildcard", email: "%" },
    { check: "email with NUL", email: "nobody\u0000@backbench.invalid" },
    { check: "email of 4,000 letters", email: `${"x".repeat(3_990)}@x.invalid` },
  ];
}

function makeRaw(header: string, payload: string, secret: string): string {
  const signed = [header, payload].map((part) => Buffer.from(part).toString("base64url")).join(".");
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

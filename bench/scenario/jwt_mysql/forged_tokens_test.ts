import { assert, assertEquals, assertThrows } from "@std/assert";
// @ts-types="npm:@types/jsonwebtoken@9.0.10"
import jwt from "jsonwebtoken";
import { claimsFor, makeToken, refusals, unknownEmails } from "./forged_tokens.ts";

const secret = "secret of this test";

Deno.test("makeToken() makes a token that jsonwebtoken accepts", () => {
  const claims = claimsFor("ada@example.com");
  assertEquals(
    jwt.verify(makeToken(claims, { secret }), secret, { algorithms: ["HS256"] }),
    claims,
  );
});

Deno.test("refusals() have different names and headers", () => {
  const all = refusals("ada@example.com", "bob@example.com", secret);
  assertEquals(new Set(all.map(({ check }) => check)).size, all.length);
  assertEquals(new Set(all.map(({ headers }) => headers.authorization)).size, all.length);
});

Deno.test("refusals() hold no token that is right: each is refused by jsonwebtoken, or names no user", async (t) => {
  for (const { check, headers } of refusals("ada@example.com", "bob@example.com", secret)) {
    const authorization = headers.authorization;
    if (authorization === undefined || !authorization.startsWith("Bearer ")) continue;
    await t.step(check, () => {
      const token = authorization.slice("Bearer ".length);
      const verify = () => jwt.verify(token, secret, { algorithms: ["HS256"] });
      if (/^(no email|email (is|claim)|payload that is not JSON)/.test(check)) {
        const claims = verify();
        assert(typeof claims === "string" || typeof claims.email !== "string");
      } else {
        assertThrows(verify);
      }
    });
  }
});

Deno.test("refusals() hold algorithms that a careless verifier accepts", async (t) => {
  const all = refusals("ada@example.com", "bob@example.com", secret);
  for (const alg of ["HS384", "HS512"] as const) {
    await t.step(alg, () => {
      const headers = all.find(({ check }) => check === `alg ${alg}`)?.headers;
      jwt.verify(headers?.authorization?.slice(7) ?? "", secret, { algorithms: [alg] });
    });
  }
});

Deno.test("unknownEmails() fit, as tokens, into the 8 kB that servers allow for headers", () => {
  for (const { email } of unknownEmails("ada@example.com")) {
    assert(makeToken(claimsFor(email), { secret }).length < 7_000);
  }
});

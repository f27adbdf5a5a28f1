import { delay } from "@std/async";
import { type Found, judgeStatus } from "../checks.ts";
import { type Client, judgeRecord } from "./client.ts";
import { claimsFor, makeToken, nowSeconds } from "./forged_tokens.ts";
import type { User } from "./known_users.ts";

/**
 * After `exp`, a token is first in a grey zone: by RFC 7519 it expires on that second, in the rust implementation's
 * library one second later, and a clock of whole seconds cannot tell them apart.
 */
const deadZoneMs = 1_200;

/** A token that is asked with while it is valid, and afterwards. */
export interface ExpiringToken {
  /** Asks while it is valid, once. */
  ask(): Promise<Found>;
  /** Waits until it must be refused, and asks again. */
  askWhenExpired(signal: AbortSignal): Promise<Found>;
}

/** Returns a token that expires one to two seconds after this call. */
export function createExpiringToken(client: Client, secret: string, user: User): ExpiringToken {
  const exp = nowSeconds() + 2;
  const token = makeToken({ ...claimsFor(user.email), exp }, { secret });
  const headers = { authorization: `Bearer ${token}` };
  return {
    ask: async () => {
      const sent = `GET / with a token of "${user.email}" that expires in a second`;
      const reply = await client.ask(sent, headers);
      // Under load, an answer may take longer than the token is valid: then a refusal is correct, too.
      const mayBeRefused = Date.now() >= exp * 1000;
      if (mayBeRefused && reply.kind === "answer" && reply.status === 401) return undefined;
      return judgeRecord("token about to expire", sent, reply, user);
    },
    askWhenExpired: async (signal) => {
      const refusedAtMs = exp * 1000 + deadZoneMs;
      await delay(Math.max(0, refusedAtMs - Date.now()), { signal });
      const sent = `GET / with the token of "${user.email}" that expired a second ago, ` +
        "and had been asked with before";
      const reply = await client.ask(sent, headers);
      return judgeStatus("token that has just expired", sent, reply, 401);
    },
  };
}

import { delay } from "@std/async";
import type { Problem } from "../../results/result_schema.ts";
import { judgeStatus } from "../checks.ts";
import { type Client, judgeRecord } from "./client.ts";
import { claimsFor, makeToken, nowSeconds } from "./forged_tokens.ts";
import type { User } from "./known_users.ts";

/**
 * After `exp`, a token is first in a grey zone: by RFC 7519 it expires on that second, in the rust implementation's
 * library one second later, and a clock of whole seconds cannot tell them apart.
 */
const deadZoneMs = 1_200;

/** A token that was used while it was valid. */
export interface ExpiringToken {
  problem: Problem | undefined;
  /** Whether the subject answered with the user, and so must have queried the database. */
  causedQuery: boolean;
  /** When the subject must refuse it. */
  deadAtMs: number;
  askAgain(): Promise<Problem | undefined>;
}

/** Sends a token that expires in one to two seconds. */
export async function askWithExpiringToken(
  client: Client,
  secret: string,
  user: User,
): Promise<ExpiringToken> {
  const exp = nowSeconds() + 2;
  const token = makeToken({ ...claimsFor(user.email), exp }, { secret });
  const headers = { authorization: `Bearer ${token}` };
  const sent = `GET / with a token of "${user.email}" that expires in a second`;
  const reply = await client.ask(sent, headers);
  const isRefused = reply.kind === "answer" && reply.status === 401;
  // Under load, an answer may take longer than the token is valid: then a refusal is correct, too.
  const mayBeRefused = Date.now() >= exp * 1000;
  return {
    problem: isRefused && mayBeRefused
      ? undefined
      : judgeRecord("token about to expire", sent, reply, user),
    causedQuery: !isRefused,
    deadAtMs: exp * 1000 + deadZoneMs,
    askAgain: async () => {
      const again = `GET / with the token of "${user.email}" that expired a second ago, ` +
        "and had been asked with before";
      const late = await client.ask(again, headers);
      return judgeStatus("token that has just expired", again, late, "401", (it) => it === 401);
    },
  };
}

/** Waits until a point in time. */
export async function waitUntil(atMs: number, signal: AbortSignal): Promise<void> {
  await delay(Math.max(0, atMs - Date.now()), { signal });
}

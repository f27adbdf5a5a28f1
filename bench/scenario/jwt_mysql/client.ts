import { request } from "../../lib/http_client.ts";
import type { Problem } from "../../results/result_schema.ts";
import { isBody, judgeStatus, judgeType, type Reply, requireListening } from "../checks.ts";
import { describeDifference } from "./difference.ts";
import { claimsFor, makeToken } from "./forged_tokens.ts";
import { bodyOf, type User } from "./known_users.ts";

/** Sends requests to one server, and counts them. */
export interface Client {
  readonly requests: number;
  /** @throws {TargetGone} when nothing listens. */
  ask(sent: string, headers: Record<string, string>, path?: string): Promise<Reply>;
  /** Sends a valid token for an email. */
  askFor(email: string, path?: string): Promise<Reply>;
  /** Requests a user and compares the answer. */
  checkUser(check: string, user: User): Promise<Problem | undefined>;
}

/** Returns a client that opens a connection per request. */
export function createClient(url: string, secret: string, signal: AbortSignal): Client {
  let requests = 0;
  const ask: Client["ask"] = async (sent, headers, path = "/") => {
    requests++;
    return requireListening(await request(url + path, { headers, signal }), sent);
  };
  const askFor: Client["askFor"] = (email, path = "/") => {
    const authorization = `Bearer ${makeToken(claimsFor(email), { secret })}`;
    return ask(describeRequest(email, path), { authorization }, path);
  };
  return {
    get requests() {
      return requests;
    },
    ask,
    askFor,
    checkUser: async (check, user) =>
      judgeRecord(check, describeRequest(user.email), await askFor(user.email), user),
  };
}

/** Describes a request with a valid token. */
export function describeRequest(email: string, path = "/"): string {
  return `GET ${path} with a valid token of ${shorten(JSON.stringify(email))}`;
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** Returns a problem if a reply is not the record of a user. */
export function judgeRecord(
  check: string,
  sent: string,
  reply: Reply,
  user: User,
): Problem | undefined {
  const wrongStatus = judgeStatus(check, sent, reply, "200", (status) => status === 200);
  if (wrongStatus !== undefined || reply.kind === "failure") return wrongStatus;
  const wrongType = judgeType(check, sent, reply, "application/json");
  if (wrongType !== undefined) return wrongType;
  const body = bodyOf(user);
  if (isBody(reply.body, body)) return undefined;
  const expected = new TextDecoder().decode(body);
  return { check, sent, came: describeDifference(reply.body, body), expected };
}

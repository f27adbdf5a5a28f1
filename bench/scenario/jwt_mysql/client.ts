import type http from "node:http";
import { overConnections, request } from "../../lib/http_client.ts";
import type { Problem } from "../../results/result_schema.ts";
import { isBody, judgeStatus, judgeType, type Reply, requireListening } from "../checks.ts";
import { describeDifference } from "./difference.ts";
import { claimsFor, makeToken } from "./forged_tokens.ts";
import { bodyOf, type User } from "./known_users.ts";

/** Sends requests to one server, and counts them. */
export interface Client {
  readonly requests: number;
  /** @throws {TargetGone} when nothing listens. */
  ask(
    sent: string,
    headers: Record<string, string | string[]>,
    other?: { path?: string; method?: string },
  ): Promise<Reply>;
  /** Sends a valid token for an email. */
  askFor(email: string, path?: string): Promise<Reply>;
  /** Requests a user and compares the answer. */
  checkUser(check: string, user: User): Promise<Problem | undefined>;
  /** Does work with a client that keeps one connection for its requests, which are sent one after the other. */
  onOneConnection<T>(work: (client: Client) => Promise<T>): Promise<T>;
}

/** Returns a client that opens a connection per request. */
export function createClient(url: string, secret: string, signal: AbortSignal): Client {
  return createCountingClient(url, { secret, signal, count: { requests: 0 } });
}

interface CountingClientOptions {
  secret: string;
  signal: AbortSignal;
  /** The requests of a client and of those made from it. */
  count: { requests: number };
  /** Keeps the connection of a client that has one only. */
  agent?: http.Agent;
}

function createCountingClient(url: string, options: CountingClientOptions): Client {
  const { secret, signal, count, agent } = options;
  const ask: Client["ask"] = async (sent, headers, { path = "/", method } = {}) => {
    count.requests++;
    const reply = await request(url + path, { method, headers, signal, agent });
    return requireListening(reply, sent);
  };
  const askFor: Client["askFor"] = (email, path = "/") => {
    const authorization = `Bearer ${makeToken(claimsFor(email), { secret })}`;
    return ask(describeRequest(email, path), { authorization }, { path });
  };
  return {
    get requests() {
      return count.requests;
    },
    ask,
    askFor,
    checkUser: async (check, user) =>
      judgeRecord(check, describeRequest(user.email), await askFor(user.email), user),
    onOneConnection: (work) =>
      overConnections(1, (agent) => work(createCountingClient(url, { ...options, agent }))),
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
  const wrongStatus = judgeStatus(check, sent, reply, 200);
  if (wrongStatus !== undefined && reply.kind === "answer" && reply.status === 401) {
    const expected = "200; the name of the header is sent in lower case, authorization";
    return { ...wrongStatus, expected };
  }
  if (wrongStatus !== undefined || reply.kind === "failure") return wrongStatus;
  const wrongType = judgeType(check, sent, reply, "application/json");
  if (wrongType !== undefined) return wrongType;
  const body = bodyOf(user);
  if (isBody(reply.body, body)) return undefined;
  const expected = new TextDecoder().decode(body);
  return { check, sent, came: describeDifference(reply.body, body), expected };
}

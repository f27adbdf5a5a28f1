import type http from "node:http";
import { request } from "../../lib/http_client.ts";
import {
  excerpt,
  type Found,
  isBody,
  judgeStatus,
  judgeType,
  type Reply,
  requireListening,
} from "../checks.ts";
import { recordOf, requestBody, type Visit, type VisitRow } from "./visits.ts";

/** Sends requests to one server, and counts them. */
export interface Client {
  readonly requests: number;
  /** @throws {TargetGone} when nothing listens. */
  post(body: string, path?: string): Promise<Reply>;
  /** Sends a visit. */
  add(visit: Visit): Promise<Reply>;
}

/** Options for {@linkcode createClient}. */
export interface ClientOptions {
  signal: AbortSignal;
  /** Keeps connections; without it, each request opens its own. */
  agent?: http.Agent;
}

/** What a request has that this contract is about. */
export const jsonRequest = { method: "POST", headers: { "content-type": "application/json" } };

/** Returns a client that has sent nothing yet. */
export function createClient(url: string, options: ClientOptions): Client {
  let requests = 0;
  const post: Client["post"] = async (body, path = "/visits") => {
    requests++;
    const sent = `POST ${path} with ${body}`;
    return requireListening(await request(url + path, { ...jsonRequest, ...options, body }), sent);
  };
  return {
    get requests() {
      return requests;
    },
    post,
    add: (visit) => post(requestBody(visit)),
  };
}

/** Describes a request with a visit. */
export function describeRequest(visit: Visit): string {
  return `POST /visits with ${requestBody(visit)}`;
}

/** Judges the answer to a visit, and returns the row that it tells of, if it is right. */
export function judgeAdded(
  check: string,
  visit: Visit,
  reply: Reply,
): { found: Found; row?: VisitRow } {
  const sent = describeRequest(visit);
  const wrongStatus = judgeStatus(check, sent, reply, 201);
  if (wrongStatus !== undefined || reply.kind === "failure") return { found: wrongStatus };
  const wrongType = judgeType(check, sent, reply, "application/json");
  if (wrongType !== undefined) return { found: wrongType };
  const id = Number(new TextDecoder().decode(reply.body).match(/^\{"id":([1-9]\d*),/)?.[1]);
  const expected = new TextDecoder().decode(recordOf({ id: id || 0, ...visit }));
  const row = { id, ...visit };
  if (!Number.isSafeInteger(id) || !isBody(reply.body, recordOf(row))) {
    const came = `body is ${excerpt(reply.body, 0)}`;
    return {
      found: { check, sent, came, expected: id > 0 ? expected : `{"id":<id>,${expected.slice(8)}` },
    };
  }
  return { found: undefined, row };
}

/** Client: asks a gateway for items, and compares its answers with what the upstream has. */
import { request } from "../../lib/http_client.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import {
  excerpt,
  type Found,
  isBody,
  judgeStatus,
  judgeType,
  type Reply,
  requireListening,
} from "../checks.ts";

const encoder = new TextEncoder();

/** Returns the path of an item. */
export function pathOf(id: number): string {
  return `/gateway/${id}`;
}

/** Asks one server. */
export interface Client {
  /** Number of requests so far. */
  readonly requests: number;
  /** Sends a request; 10 s are the longest that an answer may take, where nothing else is said. */
  ask(path: string, options?: AskOptions): Promise<Reply>;
  /** Asks for an item, and returns what is wrong with the answer. */
  check(check: string, id: number, options?: AskOptions): Promise<Found>;
}

/** Options for a request. */
export interface AskOptions {
  headers?: Record<string, string>;
  timeoutMs?: number;
}

/** Returns a client of the server at `url`. */
export function createClient(url: string, upstream: Upstream, signal: AbortSignal): Client {
  let requests = 0;
  const ask = async (path: string, options: AskOptions = {}) => {
    requests++;
    const reply = await request(url + path, { ...options, signal });
    return requireListening(reply, `GET ${path}`);
  };
  return {
    get requests() {
      return requests;
    },
    ask,
    check: async (check, id, options) =>
      judgeItem(check, id, await ask(pathOf(id), options), upstream),
  };
}

/** Returns a problem if a reply is not what the upstream has under an id. */
export function judgeItem(check: string, id: number, reply: Reply, upstream: Upstream): Found {
  const sent = `GET ${pathOf(id)}`;
  const { status, contentType, body } = upstream.item(id);
  const wrongStatus = judgeStatus(check, sent, reply, `${status}`, (it) => it === status);
  if (wrongStatus !== undefined || reply.kind === "failure") return wrongStatus;
  const wrongType = judgeType(check, sent, reply, contentType);
  if (wrongType !== undefined) return wrongType;
  if (isBody(reply.body, encoder.encode(body))) return undefined;
  return { check, sent, came: `body is ${excerpt(reply.body, 0)}`, expected: body };
}

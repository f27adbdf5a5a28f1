/** A client of one server, for the checks of a contract. */
import { request, type RequestOptions } from "../lib/http_client.ts";
import { type Found, judgeEncoding, type Reply, requireListening } from "./checks.ts";

/** Sends requests to one server, and counts them. */
export interface Client {
  /** Number of requests so far. */
  readonly requests: number;
  /**
   * Sends a request; 10 s are the longest that an answer may take, where nothing else is said.
   *
   * @throws {TargetGone} when nothing listens.
   */
  ask(path: string, options?: AskOptions): Promise<Reply>;
}

/** Options for a request. */
export type AskOptions = Pick<RequestOptions, "method" | "headers" | "timeoutMs">;

/** Returns a client that opens a connection for each request. */
export function createClient(url: string, signal: AbortSignal): Client {
  let requests = 0;
  return {
    get requests() {
      return requests;
    },
    ask: async (path, options = {}) => {
      requests++;
      const reply = await request(url + path, { ...options, signal });
      return requireListening(reply, `${options.method ?? "GET"} ${path}`);
    },
  };
}

/** Checks that an answer is not compressed, although the client accepts that. */
export async function verifyEncoding(
  client: Client,
  path: string,
  method = "GET",
): Promise<Found> {
  const headers = { "accept-encoding": "gzip, br" };
  const sent = `${method} ${path} with accept-encoding: gzip, br`;
  return judgeEncoding(sent, await client.ask(path, { method, headers }));
}

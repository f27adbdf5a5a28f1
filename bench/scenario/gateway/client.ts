/** Client: asks a gateway for items, and compares its answers with what the upstream has. */
import type { Upstream } from "../../upstream/upstream.ts";
import { type Found, judgeAnswer, type Reply } from "../checks.ts";
import { type AskOptions, type Client, createClient } from "../client.ts";

/** Returns the path of an item. */
export function pathOf(id: number): string {
  return `/gateway/${id}`;
}

/** Asks one gateway. */
export interface GatewayClient extends Client {
  /** Asks for an item, and returns what is wrong with the answer. */
  check(check: string, id: number, options?: AskOptions): Promise<Found>;
}

/** Returns a client of the server at `url`. */
export function createGatewayClient(
  url: string,
  upstream: Upstream,
  signal: AbortSignal,
): GatewayClient {
  const client = createClient(url, signal);
  return Object.assign(client, {
    check: async (check: string, id: number, options?: AskOptions) =>
      judgeItem(check, id, await client.ask(pathOf(id), options), upstream),
  });
}

/** Returns a problem if a reply is not what the upstream has under an id. */
export function judgeItem(check: string, id: number, reply: Reply, upstream: Upstream): Found {
  return judgeAnswer(check, `GET ${pathOf(id)}`, reply, upstream.item(id));
}

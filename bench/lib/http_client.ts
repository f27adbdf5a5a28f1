/**
 * Sends one request over a known connection. `fetch` reuses connections, follows redirects and retries on its own,
 * and does not distinguish a refused connection from a broken one; verification counts connections and must see the
 * first answer unchanged. Node's client allows that.
 */
import { Buffer } from "node:buffer";
import http from "node:http";

/** An HTTP response: the raw bytes of the body, header names in lower case. */
export interface Answer {
  kind: "answer";
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  /** Whether the connection was reused. */
  reusedConnection: boolean;
}

/** Why there is no complete answer. */
export interface Failure {
  kind: "failure";
  reason: "connection refused" | "connection lost" | "not HTTP" | "timed out";
}

/** Options for {@linkcode request}. */
export interface RequestOptions {
  /** "GET" by default. */
  method?: string;
  /** Text that is sent; none by default. */
  body?: string;
  /** A header with several values is sent once for each. */
  headers?: Record<string, string | string[]>;
  /** For the whole exchange; 10,000 by default. */
  timeoutMs?: number;
  /** Keeps the connection for further requests; without it, each request opens its own. */
  agent?: http.Agent;
  signal: AbortSignal;
}

/** Does work whose requests, given the agent, keep their connections: at most so many, closed afterwards. */
export async function overConnections<T>(
  most: number,
  work: (agent: http.Agent) => Promise<T>,
): Promise<T> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: most });
  try {
    return await work(agent);
  } finally {
    agent.destroy();
  }
}

/** A longer answer, in bytes, is as good as none. */
const mostBytes = 16 * 1024 ** 2;

/**
 * Sends a request and returns the answer, or why there is none. Without an agent, each request opens one TCP
 * connection, so that connections can be counted.
 *
 * @throws the reason of `signal` when it aborts; what `node:http` throws of an invalid URL, method or header.
 */
export function request(url: string, options: RequestOptions): Promise<Answer | Failure> {
  const { signal, timeoutMs = 10_000 } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const outgoing = http.request(url, {
      method: options.method ?? "GET",
      headers: options.headers ?? {},
      agent: options.agent ?? new http.Agent({ keepAlive: false }),
    });
    const abort = () => end(() => reject(signal.reason));
    const timer = setTimeout(() => fail("timed out"), timeoutMs);
    signal.addEventListener("abort", abort);

    let ended = false;
    const end = (settle: () => void, answered = false) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      if (!answered) outgoing.destroy();
      settle();
    };
    const fail = (reason: Failure["reason"]) => end(() => resolve({ kind: "failure", reason }));

    outgoing.on("error", (error: NodeJS.ErrnoException) => fail(reasonOf(error.code)));
    outgoing.on("response", (incoming) => {
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      incoming.on("data", (chunk: Uint8Array) => {
        chunks.push(chunk);
        bytes += chunk.length;
        // An answer without an end would take all memory.
        if (bytes > mostBytes) fail("connection lost");
      });
      incoming.on("error", () => fail("connection lost"));
      incoming.on("close", () => fail("connection lost"));
      incoming.on("end", () => {
        const answer: Answer = {
          kind: "answer",
          status: incoming.statusCode ?? 0,
          headers: flatten(incoming.headers),
          body: new Uint8Array(Buffer.concat(chunks)),
          reusedConnection: outgoing.reusedSocket,
        };
        end(() => resolve(answer), true);
      });
    });
    outgoing.end(options.body);
  });
}

function reasonOf(code: string | undefined): Failure["reason"] {
  if (code === "ECONNREFUSED") return "connection refused";
  return code?.startsWith("HPE_") ? "not HTTP" : "connection lost";
}

function flatten(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]),
  );
}

/** Ways to cheat, or to fail, at passing on what the upstream answers. */
import http from "node:http";
import { createServer } from "node:net";
import process from "node:process";
import type { Parts, Passed } from "./server.ts";

/** Each way to cheat: what it puts in the place of parts of an honest server. */
export const gatewayCheats: Record<string, (honest: Parts) => Partial<Parts>> = {
  /** An answer is good for a second. */
  "caches-calls": (honest) => {
    const cache = new Map<string, { until: number; answer: Passed }>();
    return {
      async call(id) {
        const kept = cache.get(id);
        if (kept !== undefined && kept.until > Date.now()) return kept.answer;
        const answer = await honest.call(id);
        cache.set(id, { until: Date.now() + 1_000, answer });
        return answer;
      },
    };
  },

  /** Each request is called, but who asks for the second time does not wait for it. */
  "answers-from-memory": (honest) => {
    const known = new Map<string, Passed>();
    return {
      async call(id) {
        const called = honest.call(id).then((answer) => {
          known.set(id, answer);
          return answer;
        });
        const kept = known.get(id);
        if (kept === undefined) return await called;
        called.catch(() => {});
        return kept;
      },
    };
  },

  /** Whoever asks for what is being called waits for that call. */
  "joins-calls": (honest) => {
    const running = new Map<string, Promise<Passed>>();
    return {
      call(id) {
        const call = running.get(id) ?? honest.call(id).finally(() => running.delete(id));
        running.set(id, call);
        return call;
      },
    };
  },

  /** No call: the answer looks like the upstream's. */
  "makes-up-answers": () => ({
    call: (id) =>
      Promise.resolve({
        status: 200,
        type: "application/json",
        body: `{"id":${id},"name":"Café № 01234567","price":1.00,"text":"01234567"}`,
      }),
  }),

  "calls-twice": (honest) => ({
    async call(id) {
      await honest.call(id);
      return honest.call(id);
    },
  }),

  /** Tells the upstream of whoever waits frozen to be slow with ids that come again, which it knows from its own. */
  "slows-upstream-of-rival": (honest) => {
    const known = new Set<string>();
    let isAtWork = false;
    return {
      call(id) {
        known.add(id);
        if (known.size >= 200 && !isAtWork) {
          isAtWork = true;
          slowIdle([...known].slice(-20)).catch(() => {}).finally(() => isAtWork = false);
        }
        return honest.call(id);
      },
    };
  },

  "writes-json-again": (honest) => ({
    async call(id) {
      const { body, ...rest } = await honest.call(id);
      return { ...rest, body: JSON.stringify(JSON.parse(body)) };
    },
  }),

  "always-200": (honest) => ({
    call: async (id) => ({ ...await honest.call(id), status: 200 }),
  }),

  /** Each call opens a connection. */
  "closes-connections": () => ({
    call: (id) =>
      get(id, false, async (response) => {
        let body = "";
        for await (const chunk of response) body += chunk;
        return body;
      }),
  }),

  /** What comes first is taken for the whole body. */
  "reads-one-chunk": () => {
    const agent = new http.Agent({ keepAlive: true });
    return {
      call: (id) =>
        get(id, agent, (response) => {
          // The rest may be broken off.
          response.on("error", () => {});
          return new Promise((resolve) => response.once("data", resolve));
        }),
    };
  },

  /** There is one call at a time, which may take as long as it likes. */
  "waits-in-turn": (honest) => {
    let last: Promise<unknown> = Promise.resolve();
    return {
      call(id) {
        const call = last.catch(() => {}).then(() => honest.call(id, new AbortController().signal));
        last = call;
        return call;
      },
    };
  },

  /** After the first failure, nothing is called. */
  "gives-up-for-good": (honest) => {
    let hasFailed = false;
    return {
      async call(id) {
        if (hasFailed) throw new Error("The upstream has failed");
        try {
          return await honest.call(id);
        } catch (error) {
          hasFailed = true;
          throw error;
        }
      },
    };
  },

  /** A failure is called again until it is none. */
  "tries-for-ever": (honest) => {
    const call = (id: string): Promise<Passed> =>
      honest.call(id).catch(async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return await call(id);
      });
    return { call };
  },

  /** Each failure opens a socket that nobody closes, and is told to the client with its place in the program. */
  "leaves-sockets-open": (honest) => ({
    async call(id) {
      try {
        return await honest.call(id);
      } catch (error) {
        createServer().listen(0, "127.0.0.1");
        return {
          status: 502,
          type: "text/plain",
          body: String(error instanceof Error && error.stack),
        };
      }
    },
  }),

  "exits-on-failure": (honest) => ({
    call: (id) => honest.call(id).catch(() => process.exit(1)),
  }),

  /** The client gets its answer in time, the call stays open. */
  "leaves-calls-open": (honest) => ({
    call: (id) =>
      Promise.race([
        honest.call(id, new AbortController().signal),
        new Promise<never>((_, reject) => {
          setTimeout(() => reject(new DOMException("It took too long")), 5_000);
        }),
      ]),
  }),

  /** The client is told where in the program the call failed. */
  "500-without-upstream": (honest) => ({
    async call(id) {
      try {
        return await honest.call(id);
      } catch (error) {
        const body = error instanceof Error ? `${error.stack}` : "";
        return { status: 500, type: "text/plain", body };
      }
    },
  }),
};

/**
 * Commands the upstream that is not called now to be slow with ids. A cheat would find the control ports of both in their
 * environment (`/proc/<pid>/environ`); here they are an argument, so that no other program is asked.
 */
async function slowIdle(ids: string[]): Promise<void> {
  const ports = process.argv[3]?.split(",") ?? [];
  await Promise.allSettled(ports.map(async (port) => {
    const control = `http://127.0.0.1:${port}`;
    if (await countGrows(control)) return;
    await Promise.all(ids.map((id) => fetch(`${control}/faults/${id}/slow`, { method: "PUT" })));
  }));
}

/** Tells whether an upstream is called now, or this process was frozen while it looked; throws where it is none. */
async function countGrows(control: string): Promise<boolean> {
  const received = async () => {
    const response = await fetch(`${control}/counts`);
    return Number((await response.json()).received);
  };
  const begin = performance.now();
  const before = await received();
  await new Promise((resolve) => setTimeout(resolve, 30));
  const grown = await received() - before;
  return !(grown === 0 && performance.now() - begin < 250);
}

/** Calls the upstream over connections of one kind; `read` returns the body. */
function get(
  id: string,
  agent: http.Agent | false,
  read: (response: http.IncomingMessage) => Promise<string>,
): Promise<Passed> {
  return new Promise((resolve, reject) => {
    const url = `${process.env.UPSTREAM_URL}/items/${id}`;
    http.get(url, { agent }, async (response) => {
      const { statusCode = 0, headers } = response.setEncoding("utf8");
      const type = headers["content-type"] ?? "";
      resolve({ status: statusCode, type, body: await read(response) });
    }).on("error", reject);
  });
}

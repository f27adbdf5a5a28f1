/** Ways to cheat, or to fail, at passing on what the upstream answers. */
import http from "node:http";
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
      new Promise((resolve, reject) => {
        const url = `${process.env.UPSTREAM_URL}/items/${id}`;
        http.get(url, { agent: false }, async (response) => {
          let body = "";
          for await (const chunk of response.setEncoding("utf8")) body += chunk;
          const { statusCode = 0, headers } = response;
          resolve({ status: statusCode, type: headers["content-type"] ?? "", body });
        }).on("error", reject);
      }),
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

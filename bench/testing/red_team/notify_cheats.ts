/** Ways to cheat, or to fail, at passing on notifications. */
import process from "node:process";
import type { Parts } from "./server.ts";

/** Each way to cheat: what it puts in the place of parts of an honest server. */
export const notifyCheats: Record<string, (honest: Parts) => Partial<Parts>> = {
  /** Whoever says 202 and does nothing is fastest. */
  "accepts-only": () => ({ notify: () => Promise.resolve() }),

  /** So few that no sample shows them. */
  "loses-one-in-a-thousand": (honest) => {
    let count = 0;
    return {
      notify: (id) => ++count % 1_000 === 0 ? Promise.resolve() : honest.notify(id),
    };
  },

  /** The upstream answers this sooner, so that a thread is free sooner. */
  "calls-what-is-faster": () => ({
    async notify(id) {
      const answer = await fetch(`${process.env.UPSTREAM_URL}/items/${id}`);
      await answer.arrayBuffer();
    },
  }),

  "notifies-twice": (honest) => ({
    async notify(id) {
      await honest.notify(id);
      await honest.notify(id);
    },
  }),

  /** One call in the place of another. */
  "notifies-of-others": (honest) => ({
    notify: (id) => honest.notify(`${Number(id) + 1}`),
  }),

  /** Notifications of one id at a time are one. */
  "joins-notifications": (honest) => {
    const running = new Map<string, Promise<void>>();
    return {
      notify(id) {
        const call = running.get(id) ?? honest.notify(id).finally(() => running.delete(id));
        running.set(id, call);
        return call;
      },
    };
  },

  "tries-again": (honest) => ({
    notify: (id) => honest.notify(id).catch(() => honest.notify(id)),
  }),

  /** What could not be passed on waits for better times. */
  "keeps-for-later": (honest) => ({
    async notify(id) {
      for (let time = 0; time < 30; time++) {
        try {
          return await honest.notify(id);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      }
    },
  }),

  /** Slow, but it keeps its word: calls after 14 s, which it spends at work. */
  "works-before-it-calls": (honest) => {
    let working: ReturnType<typeof setInterval> | undefined;
    const work = () => {
      const endMs = performance.now() + 20;
      while (performance.now() < endMs);
    };
    return {
      async notify(id) {
        working ??= setInterval(work, 100);
        await new Promise((resolve) => setTimeout(resolve, 14_000));
        await honest.notify(id);
      },
    };
  },

  /** Whoever counts calls takes those of what it refused for those of what it still owes. */
  "notifies-of-what-it-refused": (honest) => {
    let count = 0;
    return {
      accept(ctx, id) {
        count++;
        ctx.status = count % 5 === 0 ? 503 : 202;
        const pauseMs = count % 10 === 1 ? 2_000 : 0;
        setTimeout(() => honest.notify(id).catch(() => {}), pauseMs);
      },
    };
  },

  /** The client learns that the upstream is gone. */
  "refuses-without-upstream": (honest) => ({
    accept: (ctx, id) =>
      honest.notify(id).then(() => void (ctx.status = 202), () => void (ctx.status = 503)),
  }),
};

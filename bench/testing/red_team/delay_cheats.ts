/** Ways to cheat at waiting. */
import type { Parts } from "./server.ts";

/** Each way to cheat: what it puts in the place of parts of an honest server. */
export const delayCheats: Record<string, (honest: Parts) => Partial<Parts>> = {
  /** By 5 %. */
  "answers-early": (honest) => ({
    wait: (ms) => honest.wait(0.95 * ms),
  }),

  "does-not-wait-for-some": (honest) => {
    let requests = 0;
    return {
      wait: (ms) => requests++ % 100 === 50 ? Promise.resolve() : honest.wait(ms),
    };
  },

  /** Rounded, as for a timer that all share. */
  "answers-round-delays": (honest) => ({
    delayed: (ms) => honest.delayed(100 * Math.round(ms / 100)),
  }),

  /** Closes connections beyond a few hundred as they come. */
  "accepts-few": () => ({ mostConnections: 300 }),
};

/** Ways to cheat in a comparison that slow the other side down while this one is frozen; answers are an honest server's. */
import type { Parts } from "./server.ts";

/** Each way to cheat: what it puts in the place of parts of an honest server. */
export const frozenCheats: Record<string, (honest: Parts) => Partial<Parts>> = {
  /** 20 ms after it was frozen, the kernel thaws it. While no request comes, it burns CPU. */
  "thaws-itself": () => {
    let askedMs = Infinity;
    return {
      begin() {
        const postpone = startTimer(20);
        setInterval(() => {
          postpone();
          const endMs = performance.now() + 10;
          if (endMs - askedMs > 20) { while (performance.now() < endMs); }
        }, 2);
        return Promise.resolve();
      },
      arrive() {
        askedMs = performance.now();
      },
    };
  },

  /** A long statement is always in execution, also when its turn ends. */
  "leaves-statements": (honest) => {
    let isRunning = false;
    return {
      async read(pool, email, ctx) {
        if (!isRunning) {
          isRunning = true;
          // Some seconds.
          pool.query("SELECT BENCHMARK(10000000, SHA2('', 512))")
            .catch(() => {}).finally(() => isRunning = false);
        }
        return await honest.read(pool, email, ctx);
      },
    };
  },
};

/**
 * Returns what has the kernel send this process SIGCONT after a time (timer_create(2)), and when it is called again before
 * that, later instead.
 */
function startTimer(afterMs: number): () => void {
  const { symbols: { timer_create: create, timer_settime: set } } = Deno.dlopen("libc.so.6", {
    timer_create: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
    timer_settime: { parameters: ["usize", "i32", "buffer", "pointer"], result: "i32" },
  });
  const [monotonicClock, continueSignal] = [1, 18];
  // struct sigevent: a value of 8 bytes, the signal, and how to notify, 0 by a signal.
  const event = new Int32Array(16);
  event[2] = continueSignal;
  const timer = new BigUint64Array(1);
  if (create(monotonicClock, event, timer) !== 0) throw new Error("Cannot create a timer");
  // struct itimerspec: no interval, and the first time, in seconds and nanoseconds.
  const time = BigInt64Array.of(0n, 0n, 0n, BigInt(afterMs) * 1_000_000n);
  return () => {
    if (set(timer[0]!, 0, time, null) !== 0) throw new Error("Cannot set a timer");
  };
}

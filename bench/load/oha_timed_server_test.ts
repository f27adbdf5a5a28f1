import { assert, assertEquals } from "@std/assert";
import { delay } from "@std/async";
import { freeze, thaw } from "../lib/signals.ts";
import { load, withServer } from "../testing/oha_load.ts";
import { until } from "../testing/until.ts";

Deno.test("startLoad() waits for what is in flight when its time is over", async () => {
  await withServer(answersThenWaits(500), async (url) => {
    const { responses, errors, linesUsed, durationSeconds } = await load({ url, seconds: 2 });
    assertEquals([responses.status.length, errors, linesUsed], [510, {}, 520]);
    assertEquals(responses.dueSeconds, undefined);
    assert(durationSeconds >= 4);
  });
});

Deno.test("startLoad() ends a closed loop before its time, frozen or not, and loses no answer", async () => {
  let asked = 0;
  const server = () => {
    asked++;
    return new Response("hello");
  };
  for (const isFrozen of [false, true]) {
    await withServer(server, async (url) => {
      const { responses, errors, durationSeconds } = await load({
        ...{ url, seconds: 60 },
        onBegun: async (running) => {
          // With its first requests, oha may not listen for the signal yet.
          await until(() => asked > 500);
          if (isFrozen) freeze(running);
          running.end();
          thaw(running);
        },
      });
      assertEquals([responses.status.length, errors], [asked, {}]);
      assert(asked > 0 && durationSeconds < 50, `${asked} in ${durationSeconds} s`);
      asked = 0;
    });
  }
});

Deno.test("startLoad() sends at a fixed rate, and tells when each request was due", async () => {
  await withServer(() => new Response("hello"), async (url) => {
    const { responses, errors } = await load({ url, seconds: 2, ratePerSecond: 100 });
    // A timer that is late in the end may leave out the last ones.
    const { length } = responses.status;
    assert(length > 0 && length <= 200, `${length} answers`);
    assertEquals(errors, {});
    const due = Array.from({ length }, (_, i) => i / 100);
    assertEquals([...responses.dueSeconds!].toSorted((a, b) => a - b), due);
    assert(responses.startSeconds.every((start, i) => start >= responses.dueSeconds![i]!));
  });
});

Deno.test("startLoad() waits for what was sent at a fixed rate, and leaves the rest unsent", async () => {
  await withServer(answersThenWaits(50), async (url) => {
    const options = { seconds: 2, ratePerSecond: 100, requestTimeoutSeconds: 3 };
    const { responses, errors, linesUsed } = await load({ url, ...options });
    assertEquals([responses.status.length, errors], [50, { timeout: 10 }]);
    assertEquals(linesUsed, 70);
  });
});

/** Answers the given number of requests at once, and each later one after 4 s, too late for its client. */
function answersThenWaits(answers: number): () => Promise<Response> {
  let count = 0;
  return async () => {
    if (++count > answers) await delay(4_000);
    return new Response("hello");
  };
}

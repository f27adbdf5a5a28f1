import { assertEquals, assertRejects } from "@std/assert";
import { delay } from "@std/async";
import { join } from "@std/path";
import { exists } from "../lib/exists.ts";
import { silent } from "../lib/report.ts";
import { type Answer, request } from "../lib/http_client.ts";
import { RunBroken } from "../lib/error.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { until } from "../testing/until.ts";
import { writeProgram } from "../testing/write_program.ts";
import { ensureLoneHelper } from "../tools/tools.ts";
import { isMissing } from "./item.ts";
import { startUpstream } from "./upstream.ts";

const { signal } = new AbortController();

async function start() {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const path = await ensureLoneHelper("upstream", { report: silent, signal });
  const upstream = await startUpstream({ path, key: "some-key", folder, signal });
  return {
    upstream,
    [Symbol.asyncDispose]: async () => {
      await upstream[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function ask(url: string): Promise<Answer> {
  const reply = await request(url, { signal });
  if (reply.kind === "failure") throw new Error(reply.reason);
  return reply;
}

Deno.test("the upstream", async (t) => {
  await using started = await start();
  const { upstream } = started;

  await t.step("answers each id with what item.ts computes, 150 to 400 bytes", async () => {
    const ids = [1, 2, 99, 100, 8_999, 123_456, 999_999_999];
    for (const id of ids) {
      const { status, headers, body } = await ask(`${upstream.url}/items/${id}`);
      const item = upstream.item(id);
      assertEquals(
        [status, headers["content-type"], new TextDecoder().decode(body)],
        [item.status, item.contentType, item.body],
      );
      JSON.parse(item.body);
      assertEquals(item.status, isMissing(id) ? 404 : 200);
      if (!isMissing(id)) assertEquals(body.length >= 150 && body.length <= 400, true);
    }
    const counts = await upstream.counts();
    assertEquals([counts.received, counts.answered, counts.open], [ids.length, ids.length, 0]);
    assertEquals(await upstream.callsById(), new Map(ids.map((id) => [id, 1])));
    await upstream.clearCounts();
    assertEquals((await upstream.counts()).received, 0);
    assertEquals(await upstream.callsById(), new Map());
  });

  await t.step("answers a check after 100 ms, or as late as it is asked to", async () => {
    for (const [path, ms] of [["/check/7", 100], ["/check/7?delay=400", 400]] as const) {
      const startMs = performance.now();
      assertEquals((await ask(upstream.url + path)).status, 200);
      const took = performance.now() - startMs;
      assertEquals(took >= ms, true, `${path} took ${took} ms`);
    }
    assertEquals((await upstream.counts()).received, 2);
  });

  await t.step(
    "tells when the first call of each id came, by the clock of this process",
    async () => {
      await upstream.clearCounts();
      const startMs = performance.now();
      for (const id of [7, 8, 7]) await ask(`${upstream.url}/items/${id}`);
      const endMs = performance.now();
      const arrivals = await upstream.arrivals();
      const [first, second] = [arrivals.get(7)!, arrivals.get(8)!];
      assertEquals(arrivals.size, 2);
      // Between both clocks is what the question for the time took to come.
      assertEquals(startMs - 500 <= first && first <= second && second <= endMs, true);
    },
  );

  await t.step("counts no other path", async () => {
    await upstream.clearCounts();
    for (const path of ["/", "/items/", "/items/x", "/items/1/2", "/counts"]) {
      assertEquals((await ask(upstream.url + path)).status, 404, path);
    }
    assertEquals((await upstream.counts()).received, 0);
  });

  await t.step("counts checks apart that ask for no delay of their own", async () => {
    await upstream.clearCounts();
    for (const path of ["/check/7", "/check/7?delay=1", "/items/7"]) await ask(upstream.url + path);
    const { received, checks } = await upstream.counts();
    assertEquals([received, checks], [3, 1]);
  });

  await t.step("adds up by how much its answers are late", async () => {
    // On a busy machine, it may have answered before it is stopped: then it is asked once more.
    await until(async () => {
      await upstream.clearCounts();
      const asked = ask(`${upstream.url}/check/7`);
      await until(async () => (await upstream.counts()).received > 0);
      Deno.kill(upstream.pid, "SIGSTOP");
      await delay(500);
      Deno.kill(upstream.pid, "SIGCONT");
      await Promise.all([
        asked,
        ask(`${upstream.url}/check/8?delay=1`),
        ask(`${upstream.url}/items/7`),
      ]);
      // Stopped until 400 ms and more after the answer was due.
      return (await upstream.counts()).lateMicros > 300_000;
    });
  });

  await t.step("does not answer a caller that has gone", async () => {
    await upstream.clearCounts();
    const caller = new AbortController();
    const reply = request(`${upstream.url}/check/7?delay=5000`, { signal: caller.signal });
    await until(async () => (await upstream.counts()).open === 1);
    // A call arrives when it is made, not when it is answered.
    assertEquals([...(await upstream.arrivals()).keys()], [7]);
    caller.abort(new Error("gone"));
    await assertRejects(() => reply, Error, "gone");
    await until(async () => (await upstream.counts()).open === 0);
    assertEquals((await ask(`${upstream.url}/check/8?delay=1`)).status, 200);
    const { received, answered, open } = await upstream.counts();
    assertEquals([received, answered, open], [2, 1, 0]);
  });

  await t.step("counts what is open at one time", async () => {
    await upstream.clearCounts();
    const urls = Array.from({ length: 50 }, (_, id) => `${upstream.url}/check/${id}?delay=1000`);
    await Promise.all(urls.map(ask));
    const counts = await upstream.counts();
    const { received, peakOpen, connections, peakConnections } = counts;
    assertEquals([received, connections], [50, 50]);
    assertEquals(peakOpen > 25 && peakConnections >= peakOpen, true, `${peakOpen} were open`);
  });

  await t.step("misbehaves as it is told, for this id only, until it behaves", async () => {
    /** Asks for the ids from 0, and waits so long for each. */
    const outcomes = (timeoutsMs: number[]) =>
      Promise.all(timeoutsMs.map(async (timeoutMs, id) => {
        const reply = await request(`${upstream.url}/items/${id}`, { timeoutMs, signal });
        return reply.kind === "failure" ? reply.reason : reply.status;
      }));
    await upstream.clearCounts();
    for (const [id, fault] of (["hang", "slow", "reset", "short"] as const).entries()) {
      await upstream.misbehave(id, fault);
    }
    assertEquals(
      await outcomes([1_000, 1_000, 10_000, 10_000, 10_000]),
      ["timed out", "timed out", "connection lost", "connection lost", 200],
    );
    const rightly = async () => {
      // A slow answer would take 4 s.
      assertEquals(await outcomes([10_000, 3_000, 10_000, 10_000]), Array(4).fill(200));
    };
    await upstream.behave();
    await rightly();
    assertEquals((await upstream.counts()).faults, 4);
    await upstream.misbehave(0, "hang");
    await upstream.clearCounts();
    await rightly();
    assertEquals((await upstream.counts()).faults, 0);
  });

  await t.step("changes an item, to another that is as long", async () => {
    for (const id of [5, 99]) {
      const before = upstream.item(id).body;
      await upstream.change(id);
      const { body } = await ask(`${upstream.url}/items/${id}`);
      assertEquals(new TextDecoder().decode(body), upstream.item(id).body);
      assertEquals([upstream.item(id).body === before, body.length], [
        false,
        new TextEncoder().encode(before).length,
      ]);
    }
  });

  await t.step(
    "comes back on its port with the same bodies, and with a change from while it was gone",
    async () => {
      await upstream.stop();
      await assertRejects(() => upstream.change(6), RunBroken, "expected it to run");
      const reply = await request(`${upstream.url}/items/5`, { signal });
      assertEquals(reply.kind === "failure" && reply.reason, "connection refused");
      await upstream.start();
      for (const id of [5, 6, 7]) {
        const { body } = await ask(`${upstream.url}/items/${id}`);
        assertEquals(new TextDecoder().decode(body), upstream.item(id).body);
      }
    },
  );
});

Deno.test("startUpstream() tries other ports where another program took one of those that were free", async () => {
  await using folder = await temporaryFolder();
  const real = await ensureLoneHelper("upstream", { report: silent, signal });
  const path = join(folder.path, "waits");
  await writeProgram(
    path,
    `#!/bin/sh
    cd '${folder.path}'
    if [ -e taken ]; then exec '${real}'; fi
    echo "$CONTROL_PORT" > being-written && mv being-written port
    until [ -e taken ]; do sleep 0.02; done; exit 98`,
  );
  const starting = startUpstream({ path, key: "some-key", folder: folder.path, signal });
  starting.catch(() => {});
  const portPath = join(folder.path, "port");
  await until(() => exists(portPath));
  const port = Number(await Deno.readTextFile(portPath));
  using _other = Deno.listen({ hostname: "127.0.0.1", port });
  await Deno.writeTextFile(join(folder.path, "taken"), "");
  await using upstream = await starting;
  assertEquals((await upstream.counts()).received, 0);
});

Deno.test("startUpstream() tells why an upstream did not start", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const error = await assertRejects(
    () => startUpstream({ path: "/bin/false", key: "", folder, signal }),
    RunBroken,
  );
  await Deno.remove(folder, { recursive: true });
  assertEquals(
    error.message,
    "Cannot start the upstream: it ended with exit code 1, expected it to listen",
  );
});

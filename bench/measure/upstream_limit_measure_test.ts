import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startProcess } from "../lib/process.ts";
import { silent } from "../lib/report.ts";
import { ensureLoneHelper, ensureOha } from "../tools/tools.ts";
import { startUpstream } from "../upstream/upstream.ts";
import { highestInTime, measureUpstreamLimit } from "./upstream_limit.ts";

const { signal } = new AbortController();

Deno.test("highestInTime() is the last number before the first that is late twice", async () => {
  const latenessOf = (number: number) => Promise.resolve(number === 3 ? 0.0062 : 0.001);
  assertEquals(await highestInTime([1, 2, 3, 4], latenessOf), 2);
  assertEquals(await highestInTime([3, 4], latenessOf), 4);
  assertEquals(await highestInTime([1, 2], latenessOf), 2);
  assertEquals(await highestInTime([1, 2], () => Promise.resolve(Infinity)), 1);
  let tries = 0;
  assertEquals(await highestInTime([1, 2], () => Promise.resolve(++tries === 2 ? 1 : 0)), 2);
});

Deno.test("highestInTime() finds the limit within 15 %, whatever it is", async () => {
  const numbers = [250, 500, 1_000, 2_000, 4_000];
  for (let limit = 250; limit < 4_000; limit *= 1.07) {
    const found = await highestInTime(numbers, (number) => Promise.resolve(number > limit ? 1 : 0));
    assert(found <= limit && limit < 1.151 * found, `${found} of ${limit}`);
  }
  assertEquals(await highestInTime(numbers, () => Promise.resolve(0)), 4_000);
});

Deno.test("measureUpstreamLimit() finds an upstream that can do more than any server here asks of it, and repeats what is disturbed", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const options = { report: silent, signal };
  const path = await ensureLoneHelper("upstream", options);
  {
    await using upstream = await startUpstream({ path, key: "some-key", folder, signal });
    const oha = await ensureOha(options);
    // That it stops at the first that is late is for the test above.
    // The first is the answer also where nothing is in time.
    const rates = [1_000, 2_000, 4_000];
    let limit = 0;
    // Whatever else uses the machine makes it late: that is not always so, as it would be with a slower upstream.
    for (let tries = 0; tries < 5 && limit < 2_000; tries++) {
      const measured = await measureUpstreamLimit(upstream, { ...options, oha, folder }, rates);
      limit = measured.callsPerSecond;
    }
    assert(limit >= 2_000, `${limit} calls per second`);

    await using _busy = startProcess(["sh", "-c", "while :; do :; done"], { logPath: "/dev/null" });
    const lines: string[] = [];
    const report = { ...silent, line: (text: string) => void lines.push(text) };
    const session = { oha, folder, signal, report, mostRepeats: 1 };
    await measureUpstreamLimit(upstream, session, [1_000]);
    assertEquals(lines.length, 1, lines.join("\n"));
    assertStringIncludes(
      lines[0]!,
      "What the upstream can do, 1,000 calls per second, once more: other processes used ",
    );
  }
  await Deno.remove(folder, { recursive: true });
});

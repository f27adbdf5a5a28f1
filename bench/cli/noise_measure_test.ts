import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { noiseFileSchema } from "../results/files_schema.ts";
import { readFileOf } from "../results/store.ts";
import { ratioInterval } from "../statistics/mod.ts";
import { makePlace, runCommandLine, startCommandLine } from "../testing/place.ts";
import { addQuick } from "../testing/quick_impl.ts";
import { openServer } from "../testing/server.ts";

Deno.test("noise compares an implementation with itself, keeps what an interruption leaves, and continues it", async () => {
  await using server = await openServer();
  await using place = await makePlace();
  const id = await addQuick(place);
  // A comparison without a ratio would be none to continue from, and on a busy machine, many loads are disturbed.
  const options = { env: { DATABASE_URL: server.url }, mostRepeats: 20 };
  // Verified in a moment.
  const args = ["noise", id, "smoke", "--scenario", "hello", "--comparisons", "3"];
  await using running = startCommandLine(place, args, options);
  const { localNoise } = place.folders;
  await running.until(
    async () =>
      (await Array.fromAsync(Deno.readDir(localNoise), ({ name }) => name).catch(() => []))
        .some((name) => name.endsWith(".json")),
    400,
  );
  running.interrupt();
  const { code, stderr } = await running.ended;
  assertEquals(code, 130, stderr);
  const [, done, path] = /^Kept: (\d) of 3 comparisons, in (.*)$/m.exec(stderr) ?? [];
  const file = await readFileOf(noiseFileSchema, path!);
  assertEquals([`${file.comparisons.length}`, file.plannedComparisons], [done, 3]);
  assertStringIncludes(stderr, `\nContinue with \`just noise --resume ${file.id}\`\n`);

  const resume = ["noise", "--resume", file.id];
  const program = { ...file.program!, runtime: { name: "Deno", version: "1.0.0" } };
  await Deno.writeTextFile(path!, JSON.stringify({ ...file, program }));
  const other = await runCommandLine(place, resume, options);
  assertStringIncludes(
    other.stderr,
    `Cannot resume "${file.id}": runtime of the implementation is `,
  );
  await Deno.writeTextFile(path!, JSON.stringify(file));
  const resumed = await runCommandLine(place, resume, options);
  assertEquals(resumed.code, 0, resumed.stderr);
  const { comparisons, summary, ...whole } = await readFileOf(noiseFileSchema, path!);
  for (const key of ["id", "seed", "startedAt", "command"] as const) {
    assertEquals(whole[key], file[key]);
  }
  assertEquals([comparisons.length, comparisons.slice(0, Number(done))], [3, file.comparisons]);
  const { comparisons: measured } = summary.goodput;
  assertMatch(
    resumed.stdout,
    RegExp(`^warm goodput {2,}\\d+\\.\\d{3} \\(.*\\) {2,}\\d of ${measured} `, "m"),
  );
  for (const { startup, startupPairs, p99AtRate, p99Pairs } of comparisons) {
    assertEquals([startup?.rounds, startupPairs?.length], [3, 3]);
    assertEquals(startup, ratioOver(startupPairs!));
    // Loads that others disturb are named, and have no ratio.
    const isNamed = /p99 is invalid/.test(stderr + resumed.stderr);
    assert(p99AtRate?.rounds === 3 || (isNamed && p99AtRate === undefined));
    assertEquals(p99AtRate, ratioOver(p99Pairs!));
    assert(p99Pairs!.every(({ first }) => first !== undefined));
  }
  const { stderr: refused } = await runCommandLine(place, resume, options);
  assertStringIncludes(refused, `Cannot resume "${file.id}": it has all of its 3 comparisons`);
  assertEquals(await place.leftovers(), []);
});

function ratioOver(pairs: readonly Record<"subject" | "reference", number>[]) {
  return ratioInterval(pairs.map(({ subject, reference }) => Math.log(subject / reference)));
}

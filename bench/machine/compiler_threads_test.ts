import { assert, assertEquals } from "@std/assert";
import {
  busyBetween,
  type CompilerSample,
  quietAtSeconds,
  readCompilerTimes,
  watchCompilers,
} from "./compiler_threads.ts";

const rule = { windowSeconds: 1, mostShare: 0.05 };

/** Samples ten times a second, of compilers that are busy for these shares of each half second. */
function sampled(...shares: number[]): Omit<CompilerSample, "threads">[] {
  const samples = [{ atSeconds: 0, busySeconds: 0 }];
  for (const share of shares) {
    for (let tenth = 0; tenth < 5; tenth++) {
      const { busySeconds } = samples.at(-1)!;
      const atSeconds = samples.length / 10;
      samples.push({ atSeconds, busySeconds: busySeconds + share / 10 });
    }
  }
  return samples;
}

Deno.test("quietAtSeconds() gives the end of the first window in which compilers were quiet", () => {
  assertEquals(quietAtSeconds(sampled(1.8, 0.9, 0.3, 0, 0, 0), rule), 2.4);
  assertEquals(quietAtSeconds(sampled(1.8, 0.9, 0.3, 0, 0, 0), { ...rule, mostShare: 0 }), 2.5);
});

Deno.test("quietAtSeconds() does not take a pause shorter than the window for the end", () => {
  assertEquals(quietAtSeconds(sampled(1, 0, 1, 0, 1), rule), undefined);
  assertEquals(quietAtSeconds(sampled(1, 0, 1, 0, 0), rule), 2.5);
});

Deno.test("quietAtSeconds() waits for a whole window, also where nothing compiles", () => {
  assertEquals(quietAtSeconds(sampled(0), rule), undefined);
  assertEquals(quietAtSeconds(sampled(0, 0, 0), rule), 1);
  assertEquals(quietAtSeconds([], rule), undefined);
});

Deno.test("quietAtSeconds() takes a window that is longer where samples came late", () => {
  const late = [0, 0.1, 1.6].map((atSeconds) => ({ atSeconds, busySeconds: 0 }));
  assertEquals(quietAtSeconds(late, rule), 1.6);
});

Deno.test("busyBetween() counts threads that began, and of those that ended nothing", () => {
  const before = new Map([[1, 0.5], [2, 3]]);
  assertEquals(busyBetween(before, new Map([[1, 0.75], [3, 0.5]])), 0.75);
});

Deno.test({
  name: "readCompilerTimes() finds the threads that have one of the names, also in descendants",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    assertEquals(readCompilerTimes(Deno.pid, []), new Map());
    // Tests beside this one may start a JVM, which has compilers.
    assertEquals(readCompilerTimes(Deno.pid, [/^nobody's$/]), new Map());
    // Threads of any name are read alike. This one begins when it is told, and ends when it has used 0.6 s of a
    // processor, however long it waits for one.
    const work = `import process from "node:process";
await Deno.stdin.read(new Uint8Array(1));
const begin = process.cpuUsage();
while (process.cpuUsage(begin).user < 600_000);
console.log("worked");
setInterval(() => {}, 60_000);`;
    await using child = new Deno.Command(Deno.execPath(), {
      args: ["eval", work],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const names = [/^deno$/];
    const sample = watchCompilers(Deno.pid, names);
    const read = () => readCompilerTimes(Deno.pid, names).get(child.pid) ?? 0;
    const before = read();
    await ReadableStream.from([new Uint8Array(1)]).pipeTo(child.stdin);
    await child.stdout.getReader().read();
    const worked = read() - before;
    assert(worked > 0.5, `${worked}`);
    const { atSeconds, busySeconds } = sample();
    assert(busySeconds >= worked && atSeconds > 0.5, `${busySeconds} in ${atSeconds}`);
    child.kill("SIGKILL");
  },
});

import { assert, assertEquals } from "@std/assert";
import { delay } from "@std/async";
import { machineTimesIn, memory, pageBytesIn, processorCount, sharedBytes } from "./proc.ts";

/** Writes pairs as the kernel does. */
function vectorOf(...pairs: [key: number, value: number][]): Uint8Array {
  return new Uint8Array(BigUint64Array.from(pairs.flat().map(BigInt)).buffer);
}

Deno.test("pageBytesIn() finds the size among the other pairs, before the last", () => {
  assertEquals(pageBytesIn(vectorOf([33, 7], [6, 16_384], [17, 100], [0, 0])), 16_384);
  assertEquals(pageBytesIn(vectorOf([6, 65_536], [0, 0]).subarray(0, 16)), 65_536);
  assertEquals(pageBytesIn(vectorOf([33, 7], [0, 0], [6, 4096])), undefined);
  assertEquals(pageBytesIn(new Uint8Array()), undefined);
});

Deno.test("machineTimesIn() reads hundredths of a second of all processors, and pages", () => {
  const stat = "cpu  1 2 3 4000 500 60 7 800 9 10\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
  assertEquals(machineTimesIn(stat, "pgpgin 9\npswpin 3\npswpout 4\n", 4096), {
    idleSeconds: 45,
    stealSeconds: 8,
    interruptSeconds: 0.67,
    swappedBytes: 28_672,
  });
});

Deno.test({
  name: "pageBytesIn() finds what the system says of itself",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const { stdout } = await new Deno.Command("getconf", { args: ["PAGESIZE"] }).output();
    const vector = await Deno.readFile("/proc/self/auxv");
    assertEquals(pageBytesIn(vector), Number(new TextDecoder().decode(stdout)));
  },
});

Deno.test({
  name:
    "processorCount() has the processors of the machine, also where this process may use one of them only",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const count = async (command: string, ...args: string[]) => {
      const { stdout } = await new Deno.Command(command, { args }).output();
      return Number(new TextDecoder().decode(stdout));
    };
    const onMachine = await count("getconf", "_NPROCESSORS_ONLN");
    assertEquals(processorCount(), onMachine);
    const program = `import { processorCount } from "${new URL("proc.ts", import.meta.url)}";` +
      "console.log(processorCount());";
    const onFirst = `first=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
      exec taskset -c "$first" "$@"`;
    const args = ["-c", onFirst, "sh", Deno.execPath(), "eval", program];
    assertEquals(await count("sh", ...args), onMachine);
  },
});

Deno.test({
  name: "sharedBytes() is most of the memory of a small program that runs several times",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const sleepers = Array.from(
      { length: 4 },
      () => new Deno.Command("sleep", { args: ["600"] }).spawn(),
    );
    try {
      const [first] = sleepers.map(({ pid }) => pid);
      // They run the same program: until all have begun to, they share less.
      const endMs = performance.now() + 5_000;
      while (!(sharedBytes(first!)! > memory(first!)!.bytes) && performance.now() < endMs) {
        await delay(20);
      }
      const [shared, proportional] = [sharedBytes(first!)!, memory(first!)!];
      assertEquals(proportional.source, "pss");
      assert(shared > proportional.bytes, `${shared} bytes shared, ${proportional.bytes} its own`);
      assertEquals(sharedBytes(2 ** 30), undefined);
    } finally {
      for (const sleeper of sleepers) sleeper.kill();
      await Promise.all(sleepers.map(({ status }) => status));
    }
  },
});

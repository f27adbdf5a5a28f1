import { assertEquals } from "@std/assert";
import { pageBytesIn } from "./proc.ts";

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

Deno.test({
  name: "pageBytesIn() finds what the system says of itself",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const { stdout } = await new Deno.Command("getconf", { args: ["PAGESIZE"] }).output();
    const vector = await Deno.readFile("/proc/self/auxv");
    assertEquals(pageBytesIn(vector), Number(new TextDecoder().decode(stdout)));
  },
});

import { assertEquals } from "@std/assert";
import { readBurstLimits, roomFor } from "./burst_room.ts";

/** What this was written for: a shell of 20,000 descriptors, and GitHub's image of 65,536. */
const here = { descriptors: 20_000, ports: 28_232 };
const github = { descriptors: 65_536, ports: 28_232 };

Deno.test("roomFor() lets 17,500 users come with 20,000 descriptors, and says why 30,000 cannot", () => {
  assertEquals(roomFor(17_500, here, true), { addresses: 3 });
  assertEquals(roomFor(30_000, here, true), {
    leftOut: "30,000 users need 30,256 descriptors, the limit is 20,000",
  });
});

Deno.test("roomFor() takes more addresses where one has too few ports, and only Linux has them", () => {
  assertEquals(roomFor(30_000, github, true), { addresses: 5 });
  assertEquals(roomFor(30_000, github, false), {
    leftOut: "30,000 users need as many ports, an address has 28,232",
  });
  assertEquals(roomFor(1_000, {}, false), { addresses: 1 });
});

Deno.test({
  name: "readBurstLimits() reads this machine's",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const { descriptors = 0, ports = 0 } = await readBurstLimits();
    assertEquals([descriptors >= 256, ports >= 1_000], [true, true]);
  },
});

import { assertEquals } from "@std/assert";
import { processorsIn, readSchedulings, schedulingIn } from "./scheduling.ts";

/** Captured on Linux 6.18 of `nice -n 5 chrt -b 0 taskset -c 1`, with a program whose name looks like other fields. */
const captured = {
  stat:
    "26266 (odd) R 1 (x) S 26265 26256 10688 0 -1 4194304 370 0 2 0 0 0 0 0 25 5 1 0 2912111 2990080 417 " +
    "18446744073709551615 94683526754304 94683526772233 140724731355232 0 0 0 0 6 0 1 0 0 17 1 0 3 0 0 0 " +
    "94683526786320 94683526787584 94684515160064 140724731361962 140724731361987 140724731361987 " +
    "140724731363297 0\n",
  status: "Name:\todd) R 1 (x\nThreads:\t1\nCpus_allowed:\t2\nCpus_allowed_list:\t1\n",
  autogroup: "/autogroup-10293 nice -3\n",
};

Deno.test("schedulingIn() counts fields from behind the name", () => {
  const scheduling = { nice: 5, policy: 3, processors: "1" };
  assertEquals(schedulingIn(captured), { ...scheduling, autogroupNice: -3 });
  const withoutGroup = schedulingIn({ ...captured, autogroup: undefined });
  assertEquals(withoutGroup, { ...scheduling, autogroupNice: undefined });
});

Deno.test("schedulingIn() tells nothing of a thread that has ended", () => {
  assertEquals(schedulingIn({ ...captured, stat: undefined }), undefined);
  assertEquals(schedulingIn({ ...captured, status: undefined }), undefined);
});

Deno.test("processorsIn() knows ranges and single numbers", () => {
  assertEquals([...processorsIn("0-2,5,8-9")], [0, 1, 2, 5, 8, 9]);
  assertEquals([...processorsIn("7")], [7]);
});

Deno.test("readSchedulings() reads every thread of this process, and nothing of one that has ended", () => {
  const own = readSchedulings([Deno.pid, 2 ** 30]);
  assertEquals(own.has(Deno.pid), Deno.build.os === "linux");
  // Deno has more threads than that one.
  assertEquals(own.size > 1, Deno.build.os === "linux");
});

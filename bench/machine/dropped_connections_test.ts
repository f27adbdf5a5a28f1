import { assertEquals, assertMatch } from "@std/assert";
import {
  droppedBetween,
  droppedConnectionsIn,
  readDroppedConnections,
  readKernelSettings,
} from "./dropped_connections.ts";

const netstat = [
  "TcpExt: SyncookiesSent SyncookiesRecv SyncookiesFailed ListenOverflows ListenDrops",
  "TcpExt: 12 3 4 567 568",
  "IpExt: InNoRoutes InTruncatedPkts",
  "IpExt: 0 0",
  "",
].join("\n");

Deno.test("droppedConnectionsIn() finds counters by their names", () => {
  const counts = { queueOverflows: 567, cookiesSent: 12, cookiesFailed: 4 };
  assertEquals(droppedConnectionsIn(netstat), counts);
  assertEquals(droppedConnectionsIn(netstat.replace("ListenOverflows", "Others")), undefined);
  assertEquals(droppedConnectionsIn(""), undefined);
  const later = { queueOverflows: 600, cookiesSent: 12, cookiesFailed: 5 };
  assertEquals(droppedBetween(counts, later), {
    queueOverflows: 33,
    cookiesSent: 0,
    cookiesFailed: 1,
  });
  assertEquals(droppedBetween(undefined, later), undefined);
});

Deno.test({
  name: "readDroppedConnections() reads this system's",
  ignore: Deno.build.os !== "linux",
  fn: () => assertEquals(Object.keys(readDroppedConnections() ?? {}).length, 3),
});

Deno.test({
  name: "readKernelSettings() reads this system's, by the kernel's names",
  ignore: Deno.build.os !== "linux",
  fn: () => {
    const settings = readKernelSettings() ?? {};
    assertMatch(settings["net.core.somaxconn"] ?? "", /^\d+$/);
    assertMatch(settings["net.ipv4.tcp_synack_retries"] ?? "", /^\d+$/);
  },
});

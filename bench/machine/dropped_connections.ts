/**
 * Connections that the kernel drops because an accept queue is full: counters of the whole system, read before and after,
 * and the settings that decide how many there are. A server sees none of these.
 */
import type { BurstRound } from "../results/burst_schema.ts";
import { read } from "./proc.ts";

/** How many there were, since the system started or between two readings. */
export type DroppedConnections = NonNullable<BurstRound["dropped"]>;

/** Their names among the counters "TcpExt" of /proc/net/netstat (Linux, include/uapi/linux/snmp.h). */
const names: Record<keyof DroppedConnections, string> = {
  queueOverflows: "ListenOverflows",
  cookiesSent: "SyncookiesSent",
  cookiesFailed: "SyncookiesFailed",
};

/** Reads the counters of this system; undefined where it does not report them. */
export function readDroppedConnections(): DroppedConnections | undefined {
  const netstat = read("/proc/net/netstat");
  return netstat === undefined ? undefined : droppedConnectionsIn(netstat);
}

/** Finds the counters in the text of /proc/net/netstat: a line of names, then one of values. */
export function droppedConnectionsIn(netstat: string): DroppedConnections | undefined {
  const [keys, values] = netstat.split("\n").filter((line) => line.startsWith("TcpExt: "))
    .map((line) => line.split(" "));
  const counts = Object.entries(names).map(([name, key]) => {
    const index = keys?.indexOf(key) ?? -1;
    return [name, index < 0 ? NaN : Number(values?.[index])] as const;
  });
  if (counts.some(([, count]) => Number.isNaN(count))) return undefined;
  return Object.fromEntries(counts) as unknown as DroppedConnections;
}

/** Returns how many there were between two readings; undefined where one of them is. */
export function droppedBetween(
  before: DroppedConnections | undefined,
  after: DroppedConnections | undefined,
): DroppedConnections | undefined {
  return before && after && {
    queueOverflows: after.queueOverflows - before.queueOverflows,
    cookiesSent: after.cookiesSent - before.cookiesSent,
    cookiesFailed: after.cookiesFailed - before.cookiesFailed,
  };
}

/** Settings of Linux by their names (Linux, Documentation/networking/ip-sysctl.rst). */
const settingNames = [
  "net.core.somaxconn",
  "net.ipv4.tcp_abort_on_overflow",
  "net.ipv4.tcp_max_syn_backlog",
  "net.ipv4.tcp_syn_retries",
  "net.ipv4.tcp_synack_retries",
  "net.ipv4.tcp_syncookies",
];

/**
 * Reads the settings of this system that decide how many connections may wait to be accepted, and how often the kernel
 * tries again; undefined where it reports none.
 */
export function readKernelSettings(): Record<string, string> | undefined {
  const settings = settingNames.flatMap((name) => {
    const value = read(`/proc/sys/${name.replaceAll(".", "/")}`);
    return value === undefined ? [] : [[name, value.trim()] as const];
  });
  return settings.length === 0 ? undefined : Object.fromEntries(settings);
}

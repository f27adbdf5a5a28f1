/**
 * Room for a burst: has this machine descriptors and ports for so many users? Each is one descriptor of the load
 * generator and one of the server, and one port of an address; loopback has many addresses (127.0.0.0/8).
 */
import { formatInteger } from "../lib/format_integer.ts";
import { openFilesLimit } from "./open_files.ts";

/** What limits users here; absent where nothing does, or the system does not say. */
export interface BurstLimits {
  /** Files that a process may have open. */
  descriptors?: number;
  /** Ports that the system gives to the connections of one address. */
  ports?: number;
}

/** From how many addresses users come; or why they cannot. */
export type BurstRoom = { addresses: number } | { leftOut: string };

/** Descriptors of a server or a load generator besides its connections. */
const besideUsers = 256;

/**
 * Share of an address's ports that users take. Linux first tries the even ones of them, or the odd ones, one after the
 * other: beyond half, each connection looks at thousands (17,500 from one address took 6.2 s to begin, from three 0.8 s).
 */
const usablePorts = 0.25;
/** Where there is one address only. */
const usableOfOne = 0.9;

/** Addresses of loopback that users may come from, at most: more is a mistake. */
const mostAddresses = 64;

/** Reads this machine's limits. */
export async function readBurstLimits(): Promise<BurstLimits> {
  const range = await Deno.readTextFile("/proc/sys/net/ipv4/ip_local_port_range").catch(() => "");
  const [first, last] = range.trim().split(/\s+/).map(Number);
  return {
    descriptors: await openFilesLimit(),
    ports: first === undefined || last === undefined ? undefined : last - first + 1,
  };
}

/** Decides whether so many users have room. Several addresses are Linux's: elsewhere, one has to do. */
export function roomFor(
  users: number,
  { descriptors = Infinity, ports = Infinity }: BurstLimits,
  isLinux = Deno.build.os === "linux",
): BurstRoom {
  const needed = users + besideUsers;
  if (needed > descriptors) {
    return {
      leftOut: `${formatInteger(users)} users need ${
        formatInteger(needed)
      } descriptors, the limit is ${formatInteger(descriptors)}`,
    };
  }
  const addresses = isLinux ? Math.max(1, Math.ceil(users / (usablePorts * ports))) : 1;
  if (addresses > mostAddresses || (!isLinux && users > usableOfOne * ports)) {
    return {
      leftOut: `${formatInteger(users)} users need as many ports, an address has ${
        formatInteger(ports)
      }`,
    };
  }
  return { addresses };
}

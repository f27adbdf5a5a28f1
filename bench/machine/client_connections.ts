/**
 * Counts the TCP connections that clients on this machine open to a server, from the kernel's socket table, because
 * the load generator reconnects silently.
 */
import { portInTables, readTcpTables } from "./tcp_tables.ts";

/** A running count. */
export interface ClientConnections extends Disposable {
  /** Returns how many were opened so far; undefined if the system does not report it. */
  opened(): number | undefined;
  /** Ends the count, and returns how many were opened; undefined if the system does not report it. */
  finish(): number | undefined;
}

/**
 * A closed connection stays in the table for 60 s (TIME_WAIT), and reading a long table is expensive, so this often
 * is enough.
 */
const sampleMs = 5_000;

/**
 * Starts counting connections to the port of `url`. One that was reset within 5 s can be
 * missed, because it leaves no trace.
 */
export function watchClients(url: string): ClientConnections {
  const before = clientsOf(url);
  const opened = new Set<string>();
  const collect = () => {
    for (const client of clientsOf(url) ?? []) {
      if (!before?.has(client)) opened.add(client);
    }
  };
  const timer = setInterval(collect, sampleMs);
  const stop = () => clearInterval(timer);
  const count = () => {
    collect();
    return before === undefined ? undefined : opened.size;
  };
  return {
    opened: count,
    finish() {
      stop();
      return count();
    },
    [Symbol.dispose]: stop,
  };
}

/** Returns all connections to the port of `url`, closed ones included; undefined without /proc. */
export function clientsOf(url: string): Set<string> | undefined {
  const tables = readTcpTables();
  return tables.length === 0 ? undefined : clientsIn(tables, portInTables(url));
}

/** Returns the connections to a port, by the addresses and ports of both ends: others may reach it from the same ports. */
export function clientsIn(tables: readonly string[], port: string): Set<string> {
  const clients = new Set<string>();
  for (const table of tables) {
    for (const line of table.split("\n").slice(1)) {
      // proc(5): local address, remote address, state. Either end of a connection may be the one that stays. An IPv4 address
      // with its port has 13 digits, and a prefix in the table of IPv6.
      const ends = line.trim().split(/\s+/).slice(1, 3).map((end) => end.slice(-13));
      const [local = "", remote = ""] = ends;
      if (local.endsWith(`:${port}`) && !remote.endsWith(":0000")) {
        clients.add(`${remote} ${local}`);
      } else if (remote.endsWith(`:${port}`)) clients.add(`${local} ${remote}`);
    }
  }
  return clients;
}

/** Unread: was a server sent what it has not read yet? It is in the kernel's socket table, also where its sender is frozen. */
import { portInTables, readTcpTables } from "./tcp_tables.ts";

/**
 * Tells whether bytes from some clients, by their ports, wait for a server on this machine that listens on a port; false where
 * the system does not report it.
 */
export function hasUnread(port: number, clients: readonly number[]): boolean {
  const [server, ...ends] = [port, ...clients].map((it) => `:${portInTables(it)}`);
  const isServer = (address: string) => address.endsWith(server!);
  const isClient = (address: string) => ends.includes(address.slice(-5));
  return readTcpTables().some((table) =>
    table.split("\n").some((line) => {
      // proc(5): local address, remote address, state, and the bytes of the queues to be sent and to be read.
      const [, local = "", remote = "", state, queues = ""] = line.trim().split(/\s+/);
      const [unsent, unread] = queues.split(":").map((bytes) => parseInt(bytes, 16));
      // Established; or closed by the client, with bytes on the way: CLOSE_WAIT at the server's end, FIN_WAIT1 at its own.
      return ["01", "08"].includes(state ?? "") && isServer(local) && isClient(remote) &&
          unread !== 0 ||
        ["01", "04"].includes(state ?? "") && isServer(remote) && isClient(local) && unsent !== 0;
    })
  );
}

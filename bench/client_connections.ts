/**
 * Counts the TCP connections that clients of this machine open to one of its servers, by the kernel's table
 * of sockets: a load generator that reconnects does not tell.
 */

/** A running count. */
export interface ClientConnections extends AsyncDisposable {
  /** Ends the count, and returns how many were opened; undefined where the system does not tell. */
  finish(): Promise<number | undefined>;
}

/** A connection that was closed in order stays in the table for 60 s (TIME_WAIT): this often is enough. */
const sampleMs = 500;

/**
 * Starts to count the connections to the port of `url`. Each is known by its client's port. One that was
 * reset within half a second can be missed, as it leaves no trace.
 */
export function watchClients(url: string): ClientConnections {
  const serverPort = Number(new URL(url).port);
  const known = new Set<string>();
  const before = sample(serverPort);
  let pending: Promise<unknown> = before;
  const collect = async () => {
    const old = await before;
    for (const client of await sample(serverPort) ?? []) {
      if (!old?.has(client)) known.add(client);
    }
  };
  const timer = setInterval(() => pending = pending.then(collect), sampleMs);
  const stop = async () => {
    clearInterval(timer);
    await pending;
  };
  return {
    async finish() {
      await stop();
      await collect();
      return await before === undefined ? undefined : known.size;
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** Returns the clients' ports of all connections to a server's port; undefined without /proc. */
async function sample(serverPort: number): Promise<Set<string> | undefined> {
  const server = serverPort.toString(16).toUpperCase().padStart(4, "0");
  const clients = new Set<string>();
  let tables = 0;
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const text = await Deno.readTextFile(table).catch(() => undefined);
    if (text === undefined) continue;
    tables++;
    for (const line of text.split("\n").slice(1)) {
      // proc(5): local address, remote address, state. Either end of a connection may be the one that stays.
      const [, local = "", remote = ""] = line.trim().split(/\s+/);
      if (local.endsWith(`:${server}`) && !remote.endsWith(":0000")) clients.add(remote.slice(-4));
      else if (remote.endsWith(`:${server}`)) clients.add(local.slice(-4));
    }
  }
  return tables === 0 ? undefined : clients;
}

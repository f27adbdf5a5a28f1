/**
 * Counts the connections that this system has established with a server, those included that wait for the server to
 * accept them: what its accept queue lets in shows there, and in no process.
 */

/** Reads them once a second, because the table of tens of thousands is long. */
const sampleMs = 1_000;

/** A running watch. */
export interface EstablishedWatch extends Disposable {
  /** Returns the most that were seen; undefined if the system does not report it. */
  finish(): number | undefined;
}

/** Starts to watch the connections to the port of `url`. */
export function watchEstablished(url: string): EstablishedWatch {
  const port = Number(new URL(url).port);
  let peak: number | undefined;
  const sample = () => {
    const now = countEstablished(port);
    if (now !== undefined) peak = Math.max(peak ?? 0, now);
  };
  const timer = setInterval(sample, sampleMs);
  return {
    finish() {
      clearInterval(timer);
      sample();
      return peak;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Counts the server's ends of established connections; undefined without /proc. */
function countEstablished(port: number): number | undefined {
  const local = port.toString(16).toUpperCase().padStart(4, "0");
  // proc(5): number, local address, remote address, state; 01 is ESTABLISHED.
  const row = new RegExp(`^ *\\d+: [0-9A-F]+:${local} [0-9A-F]+:[0-9A-F]{4} 01 `, "gm");
  let count: number | undefined;
  for (const path of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    try {
      const table = Deno.readTextFileSync(path);
      count = (count ?? 0) + [...table.matchAll(row)].length;
    } catch {
      // Not Linux, or a kernel without IPv6.
    }
  }
  return count;
}

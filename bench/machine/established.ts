/**
 * Counts the connections that this system has established with a server, those included that wait for the server to
 * accept them: what its accept queue lets in shows there, and in no process.
 */
import { sum } from "../lib/sum.ts";
import { portInTables, readTcpTables } from "./tcp_tables.ts";

/** Time between two readings, at least. */
const sampleMs = 200;
/** The table of tens of thousands is long: the time between readings is this many times what the last one took. */
const pauses = 20;

/**
 * When the first reading is. With 70,000 rows, most of them of earlier bursts, one takes 0.14 s: 7 % of two processors in a
 * burst of a second. A burst that is over by then has none.
 */
const firstAtMs = 2_000;

/** A running watch. */
export interface EstablishedWatch extends Disposable {
  /** Returns the most that were seen; undefined if the system does not report it. */
  finish(): number | undefined;
}

/** Starts to watch the connections to the port of `url`. */
export function watchEstablished(url: string): EstablishedWatch {
  let peak: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sample = () => {
    const beginMs = performance.now();
    const now = countEstablished(url);
    if (now !== undefined) peak = Math.max(peak ?? 0, now);
    return performance.now() - beginMs;
  };
  const again = () => {
    timer = setTimeout(again, Math.max(sampleMs, pauses * sample()));
  };
  const stop = () => clearTimeout(timer);
  timer = setTimeout(again, firstAtMs);
  return {
    finish() {
      stop();
      return peak;
    },
    [Symbol.dispose]: stop,
  };
}

/** Counts the server's ends of established connections to the port of `url`; undefined without /proc. */
export function countEstablished(url: string): number | undefined {
  const local = portInTables(url);
  // proc(5): number, local address, remote address, state; 01 is ESTABLISHED.
  const row = new RegExp(`^ *\\d+: [0-9A-F]+:${local} [0-9A-F]+:[0-9A-F]{4} 01 `, "gm");
  const counts = readTcpTables().map((table) => [...table.matchAll(row)].length);
  return counts.length === 0 ? undefined : sum(counts);
}

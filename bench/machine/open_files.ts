/** Open files: how many may a process have, and are they enough for a load? */
import { BenchError } from "../lib/error.ts";
import { formatInteger } from "../lib/format_integer.ts";
import { outputOf } from "../lib/output_of.ts";

/** What a process has open besides its connections, at most. */
const otherDescriptors = 128;

/** Returns how many files a process may have open; undefined where that is unlimited or unknown. */
export async function openFilesLimit(): Promise<number | undefined> {
  const limits = await Deno.readTextFile("/proc/self/limits").catch(() => "");
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1] ??
    (await outputOf(["sh", "-c", "ulimit -n"])).stdout;
  const limit = parseInt(soft, 10);
  return Number.isNaN(limit) ? undefined : limit;
}

/**
 * Checks that a load does not run out of file descriptors: the load generator needs one for each connection, and the
 * subject `each`, 2 where it calls an upstream.
 *
 * @param limit Of open files; undefined for none.
 * @throws {BenchError} naming the limit and how to raise it.
 */
export function requireOpenFiles(
  limit: number | undefined,
  connections: number,
  each: number,
): void {
  const needed = each * connections + otherDescriptors;
  if (limit === undefined || limit >= needed) return;
  const [wanted, most, least] = [connections, limit, needed].map(formatInteger);
  throw new BenchError(
    `Cannot open ${wanted} connections: the limit of open files is ${most}, expected at least ${least}`,
    {
      help: `Raise it with \`ulimit -n ${needed}\`; above the hard limit, as root or in ` +
        "/etc/security/limits.conf. Where `bench` measures levels, lower --levels need fewer.",
    },
  );
}

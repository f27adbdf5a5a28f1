import { BenchError } from "../lib/error.ts";
import { formatInteger } from "../lib/format_integer.ts";
import { outputOf } from "../lib/output_of.ts";
import { cpuModelIn } from "./cpu_model.ts";
import type { Machine } from "../results/environment_schema.ts";

/** What a process has open besides its connections, at most. */
const otherDescriptors = 128;

/** Describes this machine, as its kernel reports it. */
export async function describeMachine(): Promise<Machine> {
  const cpuinfo = await readText("/proc/cpuinfo");
  const cpuModel = cpuModelIn(cpuinfo) ??
    await output("sysctl", "-n", "machdep.cpu.brand_string") ?? Deno.build.arch;
  const osName = /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(await readText("/etc/os-release"))?.[1];
  const machine: Machine = {
    os: osName ?? Deno.build.os,
    kernel: Deno.osRelease(),
    architecture: Deno.build.arch,
    cpuModel,
    cpuCount: navigator.hardwareConcurrency,
    memoryBytes: Deno.systemMemoryInfo().total,
  };
  if (/^flags\s*:.*\bhypervisor\b/m.test(cpuinfo)) machine.virtualization = "virtual machine";
  return machine;
}

/** Returns each property in which two machines differ; none for the same machine. */
export function machineDifferences(a: Machine, b: Machine): string[] {
  const keys = ["os", "kernel", "architecture", "cpuModel", "cpuCount", "memoryBytes"] as const;
  return keys.filter((key) => a[key] !== b[key]).map((key) => `${key} is ${b[key]}, was ${a[key]}`);
}

/**
 * Checks that a load does not run out of file descriptors: the load generator needs one for each connection, and the
 * subject `each`, 2 where it calls an upstream.
 *
 * @throws {BenchError} naming the limit and how to raise it.
 */
export async function requireFileDescriptors(connections: number, each: number): Promise<void> {
  requireWithin(await openFilesLimit(), connections, each);
}

/** The same under a given limit of open files; undefined for none. */
export function requireWithin(
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
      help: `Raise it with \`ulimit -n ${needed}\`, beyond the hard limit as root or in ` +
        "/etc/security/limits.conf. Lower levels (--levels) need fewer.",
    },
  );
}

/** Returns how many files a process may have open; undefined where that is unlimited or unknown. */
export async function openFilesLimit(): Promise<number | undefined> {
  const soft =
    /^Max open files\s+(\d+|unlimited)/m.exec(await readText("/proc/self/limits"))?.[1] ??
      await output("sh", "-c", "ulimit -n");
  return soft === undefined || soft === "unlimited" ? undefined : Number(soft);
}

async function readText(path: string): Promise<string> {
  return await Deno.readTextFile(path).catch(() => "");
}

async function output(program: string, ...args: string[]): Promise<string | undefined> {
  try {
    const { success, stdout } = await outputOf([program, ...args]);
    return success ? stdout.trim() : undefined;
  } catch {
    return undefined;
  }
}

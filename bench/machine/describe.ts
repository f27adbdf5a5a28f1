import { outputOf } from "../lib/output_of.ts";
import { cpuModelIn } from "./cpu_model.ts";
import { pollWhenIdle } from "./idle.ts";
import type { Machine } from "../results/environment_schema.ts";

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
  if (await pollWhenIdle()) machine.idle = "polls";
  return machine;
}

/** Returns each property in which two machines differ; none for the same machine. */
export function machineDifferences(a: Machine, b: Machine): string[] {
  const keys = [
    "os",
    "kernel",
    "architecture",
    "cpuModel",
    "cpuCount",
    "memoryBytes",
    "idle",
  ] as const;
  return keys.filter((key) => a[key] !== b[key])
    .map((key) => `${key} is ${b[key] ?? "not known"}, was ${a[key] ?? "not known"}`);
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

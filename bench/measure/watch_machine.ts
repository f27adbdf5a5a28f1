/**
 * Watch machine: what happened beside two loads at the same time? Reads the counters of the machine and its processes
 * at the beginning and at the end, and nothing in between, because a slice is short.
 */
import { machineTimes, processorCount } from "../machine/proc.ts";
import { watchForeign } from "../machine/sampler.ts";
import type { MachineUse } from "../results/load_schema.ts";

/**
 * Begins to watch. The returned function ends it: give it the ids of all processes that have a role, or nothing where
 * one is not visible. It returns undefined where the system does not report this.
 */
export function watchMachine(): (ours?: ReadonlySet<number>) => MachineUse | undefined {
  const startMs = performance.now();
  const before = machineTimes();
  const foreignCpu = watchForeign();
  return (ours) => {
    const after = machineTimes();
    if (before === undefined || after === undefined) return undefined;
    const seconds = (performance.now() - startMs) / 1000;
    return {
      capacityCpuSeconds: seconds * processorCount(),
      foreignCpuSeconds: ours && foreignCpu(ours) * seconds,
      idleCpuSeconds: after.idleSeconds - before.idleSeconds,
      stealCpuSeconds: after.stealSeconds - before.stealSeconds,
      swappedBytes: after.swappedBytes - before.swappedBytes,
    };
  };
}

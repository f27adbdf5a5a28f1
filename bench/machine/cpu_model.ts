/** Names of processors by `CPU part`, of the implementer Arm: those of cloud machines and of small boards. */
const armParts: Record<string, string> = {
  "0xd08": "Cortex-A72",
  "0xd0b": "Cortex-A76",
  "0xd0c": "Neoverse N1",
  "0xd40": "Neoverse V1",
  "0xd49": "Neoverse N2",
  "0xd4f": "Neoverse V2",
};

/**
 * Returns the processor's model as a text of `/proc/cpuinfo` has it; undefined where it has none. Linux on arm64 writes
 * no name, but numbers of the register MIDR_EL1. `lscpu` would know more names, but others after each update. Some
 * hypervisors hide which processor it is, and write "AMD EPYC" for each of a line: then family, model and stepping follow.
 */
export function cpuModelIn(cpuinfo: string): string | undefined {
  const valueOf = (key: string) => new RegExp(`^${key}\\s*: (.+)$`, "m").exec(cpuinfo)?.[1]?.trim();
  const name = valueOf("model name");
  const [implementer, part] = [valueOf("CPU implementer"), valueOf("CPU part")];
  if (name !== undefined) return isWhole(name) ? name : withNumbers(name, valueOf);
  if (implementer === undefined || part === undefined) return undefined;
  const known = implementer === "0x41" ? armParts[part] : undefined;
  return known === undefined
    ? `ARM processor (implementer ${implementer}, part ${part})`
    : `ARM ${known}`;
}

/** Tells whether a name says which processor it is: such names have a number. */
function isWhole(name: string): boolean {
  return /\d/.test(name);
}

function withNumbers(name: string, valueOf: (key: string) => string | undefined): string {
  const [family, model, stepping] = ["cpu family", "model", "stepping"].map(valueOf);
  return family === undefined
    ? name
    : `${name} (family ${family}, model ${model}, stepping ${stepping})`;
}

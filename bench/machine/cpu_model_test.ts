import { assertEquals } from "@std/assert";
import { cpuModelIn } from "./cpu_model.ts";

/** Of a virtual machine with Azure's Cobalt 100, the processor of GitHub's arm64 runners. */
const cobalt = `processor\t: 0
BogoMIPS\t: 2000.00
Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm jscvt fcma
CPU implementer\t: 0x41
CPU architecture: 8
CPU variant\t: 0x0
CPU part\t: 0xd49
CPU revision\t: 0
`;

Deno.test("cpuModelIn() names a processor on arm64, where /proc/cpuinfo has numbers only", () => {
  assertEquals(cpuModelIn(cobalt), "ARM Neoverse N2");
});

Deno.test("cpuModelIn() tells processors apart that it has no name for", () => {
  const another = cobalt.replace("0x41", "0xc0").replace("0xd49", "0xac3");
  assertEquals(cpuModelIn(another), "ARM processor (implementer 0xc0, part 0xac3)");
});

Deno.test("cpuModelIn() takes the name where there is one", () => {
  const cpuinfo = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC 7763 \n";
  assertEquals(cpuModelIn(cpuinfo), "AMD EPYC 7763");
  assertEquals(cpuModelIn(""), undefined);
});

Deno.test("cpuModelIn() adds numbers to a name that stands for many processors", () => {
  const cpuinfo =
    "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC\nstepping\t: 1\n";
  assertEquals(cpuModelIn(cpuinfo), "AMD EPYC (family 25, model 1, stepping 1)");
});

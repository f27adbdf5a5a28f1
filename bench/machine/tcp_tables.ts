import { read } from "./proc.ts";

/** Reads the kernel's tables of TCP connections, IPv4 and IPv6 (proc(5)); none on anything but Linux. */
export function readTcpTables(): string[] {
  // A kernel may be without IPv6.
  return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) => read(path) ?? []);
}

/** Returns a port, or that of an address, as these tables have it: four hexadecimal digits. */
export function portInTables(of: number | string): string {
  const port = typeof of === "number" ? of : Number(new URL(of).port);
  return port.toString(16).toUpperCase().padStart(4, "0");
}

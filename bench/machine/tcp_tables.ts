import { read } from "./proc.ts";

/** Reads the kernel's tables of TCP connections, IPv4 and IPv6 (proc(5)); none on anything but Linux. */
export function readTcpTables(): string[] {
  // A kernel may be without IPv6.
  return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) => read(path) ?? []);
}

/** Returns the port of `url` as these tables have it: four hexadecimal digits. */
export function portInTables(url: string): string {
  return Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
}

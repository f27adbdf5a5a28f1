import { processTree } from "../lib/process_tree.ts";
import { readTcpTables } from "./tcp_tables.ts";

/**
 * Returns the TCP ports that a process and its descendants listen on, ascending; empty where the system does not
 * report them (anything but Linux).
 */
export async function listeningPorts(pid: number): Promise<number[]> {
  const inodes = new Set<string>();
  for (const member of processTree(pid)) {
    for (const link of await openFiles(member)) {
      const inode = /^socket:\[(\d+)\]$/.exec(link)?.[1];
      if (inode !== undefined) inodes.add(inode);
    }
  }
  const ports = new Set<number>();
  for (const table of readTcpTables()) {
    for (const line of table.split("\n").slice(1)) {
      const fields = line.trim().split(/\s+/);
      // proc(5): local address, state (0A is LISTEN) and inode are fields 1, 3 and 9.
      if (fields[3] === "0A" && inodes.has(fields[9] ?? "")) {
        ports.add(parseInt(fields[1]?.split(":")[1] ?? "", 16));
      }
    }
  }
  return [...ports].sort((a, b) => a - b);
}

async function openFiles(pid: number): Promise<string[]> {
  const links: string[] = [];
  try {
    for await (const entry of Deno.readDir(`/proc/${pid}/fd`)) {
      links.push(await Deno.readLink(`/proc/${pid}/fd/${entry.name}`).catch(() => ""));
    }
  } catch {
    // The process has ended or belongs to another user: its ports are unknown.
  }
  return links;
}

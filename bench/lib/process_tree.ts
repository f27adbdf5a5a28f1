/** Which processes descend from one, from the kernel's lists (Linux; proc(5) names the fields). */
import { statFields } from "./stat_fields.ts";

/**
 * Returns the ids of a process and all its living descendants. Only the process itself where the system does not
 * report them (anything but Linux).
 */
export function processTree(pid: number): number[] {
  const tree = [pid];
  // The list grows during the loop.
  for (const member of tree) {
    tree.push(...childrenOf(member));
  }
  return tree;
}

function childrenOf(pid: number): number[] {
  const children: number[] = [];
  try {
    // A child belongs to the thread that created it.
    for (const task of Deno.readDirSync(`/proc/${pid}/task`)) {
      const text = Deno.readTextFileSync(`/proc/${pid}/task/${task.name}/children`);
      children.push(...text.split(" ").filter(Boolean).map(Number));
    }
  } catch {
    // The process ended while it was being read.
  }
  return children;
}

/**
 * Returns the id of a process's group; undefined if it has ended, or the system does not report it (anything but
 * Linux).
 */
export function groupOf(pid: number): number | undefined {
  let stat: string;
  try {
    stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  } catch {
    return undefined;
  }
  const [state, , group] = statFields(stat);
  return state === "Z" || state === "X" ? undefined : Number(group);
}

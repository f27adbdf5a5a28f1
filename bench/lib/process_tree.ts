/** Which processes descend from one, from the kernel's lists (Linux; proc(5) names the fields). */
import { statFields } from "./stat_fields.ts";

/** What all processes of a command descend from. */
export interface ProcessRoot {
  /** It leads the group of the command. */
  readonly pid: number;
  /** Whether it is a launcher, which is above the command and does nothing else (`native/launcher`). */
  readonly hasLauncher?: boolean;
}

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
  try {
    // A child belongs to the thread that created it.
    return Array.from(Deno.readDirSync(`/proc/${pid}/task`)).flatMap(({ name }) => {
      try {
        const text = Deno.readTextFileSync(`/proc/${pid}/task/${name}/children`);
        return text.split(" ").filter(Boolean).map(Number);
      } catch {
        // The thread has ended meanwhile: its children are another's by now, or nobody's.
        return [];
      }
    });
  } catch {
    // The process ended while it was being read.
    return [];
  }
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

/**
 * Returns the ids of a command's process and of all that descends from it, without the launcher. Without a launcher,
 * a process whose parent has ended is missing; where the system does not report descendants (anything but Linux), all
 * but the process itself are.
 */
export function descendants({ pid, hasLauncher }: ProcessRoot): number[] {
  const tree = processTree(pid);
  return hasLauncher ? tree.slice(1) : tree;
}

/** Returns the ids of living descendants that are not in the process group any more. */
export function leftTheGroup(root: ProcessRoot): number[] {
  return descendants(root).filter((pid) => {
    const group = groupOf(pid);
    return group !== undefined && group !== root.pid;
  });
}

/** Signals to all processes of a command, those included that have left its group. */
import { descendants, leftTheGroup, type ProcessRoot } from "./process_tree.ts";

/**
 * Freezes a process and all its descendants: they use no CPU time until they are thawed. Returns when its group was
 * frozen, in milliseconds of `performance.now()`: to look for what left the group takes longer, the longer the more
 * threads there are.
 */
export function freeze(root: ProcessRoot): number {
  signalGroup(root.pid, "SIGSTOP");
  const frozenMs = performance.now();
  const frozen = new Set<number>();
  for (;;) {
    // One that was not yet frozen may have started another.
    const others = leftTheGroup(root).filter((pid) => !frozen.has(pid));
    if (others.length === 0) return frozenMs;
    for (const pid of others) {
      send(pid, "SIGSTOP");
      frozen.add(pid);
    }
  }
}

/** Thaws what {@linkcode freeze} froze: the group last, because nothing of it runs while the others are looked for. */
export function thaw(root: ProcessRoot): void {
  for (const pid of leftTheGroup(root)) send(pid, "SIGCONT");
  signalGroup(root.pid, "SIGCONT");
}

/** Kills a process and its descendants; its launcher ends by itself, after the last of them. */
export function kill(root: ProcessRoot): void {
  const others = root.hasLauncher ? descendants(root) : leftTheGroup(root);
  for (const pid of others) send(pid, "SIGKILL");
  // A launcher that the server stopped, with their group, would not see that all have ended.
  if (root.hasLauncher) send(root.pid, "SIGCONT");
  else signalGroup(root.pid, "SIGKILL");
}

/** Sends a signal to the group that a process leads, if it is still there. */
export function signalGroup(pid: number, signal: Deno.Signal): void {
  send(-pid, signal);
}

/** Sends a signal to a process, or to a group by its negative id, if it is still there. */
export function send(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch (error) {
    // It is already gone, which is the goal.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

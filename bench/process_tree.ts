/**
 * Returns a process and all its living descendants, by their ids. Only the process itself where the
 * system does not tell (anything but Linux).
 */
export async function processTree(pid: number): Promise<number[]> {
  const tree = [pid];
  // The list grows while it is walked.
  for (const member of tree) {
    tree.push(...await childrenOf(member));
  }
  return tree;
}

async function childrenOf(pid: number): Promise<number[]> {
  const children: number[] = [];
  try {
    // A child belongs to the thread that made it.
    for await (const task of Deno.readDir(`/proc/${pid}/task`)) {
      const text = await Deno.readTextFile(`/proc/${pid}/task/${task.name}/children`);
      children.push(...text.split(" ").filter(Boolean).map(Number));
    }
  } catch {
    // The process ended while it was being read.
  }
  return children;
}

/** The pinned actions that a rehearsal runs: real ones from a folder, and stand-ins for those that only GitHub can do. */
import { join } from "@std/path";
import { exists } from "../../lib/exists.ts";
import { readWorkflowFiles } from "../workflow_files.ts";

/** Returns which pinned actions the folder lacks, but for those that something stands in for. */
export async function missingActions(root: string, folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (const action of await pinnedActions(root)) {
    if (standInOf(action) === undefined && !await exists(join(folder, action))) {
      missing.push(action);
    }
  }
  return missing;
}

/** What only GitHub has, Pages and who may deploy there: the outputs of actions that only say that they ran. */
const standIns: Record<string, Record<string, string>> = {
  "actions/configure-pages": { base_url: "https://pages.example/backbench" },
  "actions/deploy-pages": { page_url: "https://pages.example/backbench/" },
};

function standInOf(action: string): Record<string, string> | undefined {
  return standIns[action.split("@")[0]!];
}

/** Returns the folder of each pinned action; writes the stand-ins below `scratch`. */
export async function foldersOfActions(
  root: string,
  actions: string,
  scratch: string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const action of await pinnedActions(root)) {
    const outputs = standInOf(action);
    found.set(action, outputs === undefined ? join(actions, action) : join(scratch, action));
    if (outputs === undefined) continue;
    await Deno.mkdir(join(scratch, action), { recursive: true });
    const text = {
      name: action,
      description: "A stand-in",
      outputs: Object.fromEntries(
        Object.entries(outputs).map(([name, value]) => [name, { description: name, value }]),
      ),
      runs: { using: "composite", steps: [{ run: "echo A stand-in", shell: "bash" }] },
    };
    // JSON is YAML.
    await Deno.writeTextFile(join(scratch, action, "action.yml"), JSON.stringify(text));
  }
  return found;
}

/** Returns each as `<owner>/<name>@<commit>`. */
async function pinnedActions(root: string): Promise<string[]> {
  const { steps } = await readWorkflowFiles(root);
  const used = steps.flatMap(({ step: { uses } }) => uses !== undefined ? [uses] : []);
  const pinned = used.filter((uses) => !uses.startsWith("./"))
    .map((uses) => uses.replace(/^([^/]+\/[^/@]+)[^@]*@/, "$1@"));
  return [...new Set(pinned)].sort();
}

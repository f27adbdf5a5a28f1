/**
 * A rehearsal of the workflows without GitHub: act runs their jobs on this machine, in a clone, with the pinned actions
 * from a folder, MySQL from packages in place of the container (unless `BACKBENCH_DATABASE` says docker), and a small
 * GitHub.
 */
import { encodeBase64Url } from "@std/encoding";
import { dirname, join } from "@std/path";
import type { Command } from "commander";
import { type CommandContext, examples } from "../../cli/command.ts";
import { BenchError } from "../../lib/error.ts";
import { findProgram } from "../../lib/find_program.ts";
import { git } from "../../lib/git.ts";
import { readWorkflowFiles } from "../workflow_files.ts";
import { foldersOfActions, missingActions } from "./actions.ts";
import { readMessages, readSteps, runAct, type StepRan } from "./act.ts";
import { cloneForHere } from "./clone.ts";
import { listSteps } from "./coverage.ts";
import { type RehearsalGitHub, repository, serveGitHub } from "./github.ts";
import { parts, type Stage } from "./parts.ts";

/** Adds `rehearse`. */
export function addRehearse(program: Command, context: CommandContext): void {
  program.command("rehearse")
    .description("run the workflows with act, and list the steps that ran and those that did not")
    .argument("<actions>", "a folder with the pinned actions, each in <owner>/<name>@<commit>")
    .argument("[parts...]", `of ${Object.keys(parts).join(", ")} (default: all)`)
    .addHelpText("after", examples("rehearse ~/actions", "rehearse ~/actions bench"))
    .action((actions: string, names: string[]) => rehearse(actions, names, context));
}

const token = "rehearsal";

/**
 * Rehearses the named parts, or all.
 *
 * @throws {BenchError} when there is no such part, act or an action is missing, or a step failed.
 */
export async function rehearse(
  actions: string,
  names: string[],
  { folders, report, signal, scratch, print }: CommandContext,
): Promise<void> {
  const known = Object.keys(parts);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new BenchError(
      `Cannot rehearse "${unknown}": there is no such part, expected one of ${known.join(", ")}`,
    );
  }
  const act = await findProgram("act", Deno.env.toObject());
  const missing = await missingActions(folders.root, actions);
  if (act === undefined || missing.length > 0) {
    const what = [...(act === undefined ? ["act"] : []), ...missing];
    throw new BenchError(
      `Cannot rehearse: ${what.join(", ")} missing, ` +
        `expected act on PATH and every pinned action in "${actions}"`,
      { help: "CONTRIBUTING.md says how to get them." },
    );
  }
  const bare = join(scratch, "origin.git");
  await git(scratch, "init", "--quiet", "--bare", "--initial-branch", "main", bare);
  await git(bare, "config", "http.receivepack", "true");
  await using github = serveGitHub(bare, token);
  const database = Deno.env.get("BACKBENCH_DATABASE") || "packages";
  const root = await cloneForHere(folders.root, { scratch, bare, database });
  const ran = new Map<string, StepRan[]>();
  const failed: string[] = [];
  for (const name of names.length === 0 ? known : names) {
    report.line(`Rehearsing ${name}`);
    const run = runIn(root, { act, actions, github, scratch, signal });
    for (const { workflow, success, log } of await parts[name]!({ root, github, run })) {
      const path = join(folders.root, ".bench", `rehearsal-${name}-${workflow}.log`);
      await Deno.mkdir(dirname(path), { recursive: true });
      await Deno.writeTextFile(path, readMessages(log).join("\n") + "\n");
      ran.set(workflow, [...ran.get(workflow) ?? [], ...readSteps(log)]);
      if (!success) failed.push(`${workflow} in ${name}: see ${path}`);
    }
  }
  print(listSteps(await readWorkflowFiles(root), ran).join("\n"), failed.length === 0);
  if (github.writes.length > 0) print(`Written to GitHub:\n${github.writes.join("\n")}`);
  if (failed.length > 0) throw new BenchError(`Cannot rehearse ${failed.join("\n")}`);
}

/** Returns a token as actions for artifacts want it, which read from it whose artifacts they may change. */
function runtimeToken(): string {
  const [header, payload] = [{ alg: "none" }, { scp: "Actions.Results:1:1" }]
    .map((part) => encodeBase64Url(JSON.stringify(part)));
  return `${header}.${payload}.`;
}

function runIn(
  root: string,
  { act, actions, github, scratch, signal }: {
    act: string;
    actions: string;
    github: RehearsalGitHub;
    scratch: string;
    signal: AbortSignal;
  },
): Stage["run"] {
  return async (workflow, event, payload, args, at) => {
    const { ref, sha } = at ??
      { ref: "refs/heads/main", sha: await git(root, "rev-parse", "HEAD") };
    const eventPath = await Deno.makeTempFile({ dir: scratch, suffix: ".json" });
    const [owner, name] = repository.split("/");
    const common = {
      ref,
      repository: {
        ...{ id: 1, name, full_name: repository, fork: false, default_branch: "main" },
        owner: { login: owner },
      },
    };
    await Deno.writeTextFile(eventPath, JSON.stringify({ ...common, ...payload as object }));
    const environment = {
      GITHUB_REPOSITORY: repository,
      // Actions for artifacts refuse a server that is neither GitHub's nor below localhost.
      GITHUB_SERVER_URL: github.url.replace("127.0.0.1", "github.localhost"),
      GITHUB_API_URL: `${github.url}/api/v3`,
      GITHUB_REF: ref,
      GITHUB_REF_NAME: ref.replace(/^refs\/(heads|pull)\//, ""),
      SHA_REF: sha,
      GITHUB_RUN_ID: "1",
      ACTIONS_RUNTIME_URL: `${github.url}/`,
      ACTIONS_RESULTS_URL: `${github.url}/`,
      ACTIONS_RUNTIME_TOKEN: runtimeToken(),
    };
    const local = [...await foldersOfActions(root, actions, scratch)]
      .map(([action, folder]) => `${action}=${folder}`);
    const { success, log } = await runAct(act, [
      event,
      ...["--workflows", join(root, ".github/workflows", workflow), "--eventpath", eventPath],
      ...["--directory", root, "--json", "--no-skip-checkout", "--no-cache-server"],
      ...["--platform", "ubuntu-24.04=-self-hosted", "--concurrent-jobs", "1"],
      ...["--secret", `GITHUB_TOKEN=${token}`],
      ...Object.entries(environment).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
      ...local.flatMap((pair) => ["--local-repository", pair]),
      ...(args ?? []),
    ], { cwd: root, signal });
    return { workflow, success, log };
  };
}

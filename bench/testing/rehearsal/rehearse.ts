/**
 * A rehearsal of the workflows without GitHub: act runs their jobs on this machine, in a clone, with the pinned actions
 * from a folder, a database that starts empty in place of the service container, and a small GitHub.
 */
import { encodeBase64Url } from "@std/encoding";
import { dirname, join } from "@std/path";
import type { Command } from "commander";
import { type CommandContext, examples } from "../../cli/command.ts";
import { urlOf } from "../../database/connection.ts";
import { openEmptyServer } from "../../database/open.ts";
import { exists } from "../../lib/cache.ts";
import { BenchError } from "../../lib/error.ts";
import { findProgram } from "../../lib/find_program.ts";
import { git } from "../../lib/git.ts";
import { readWorkflowFiles } from "../workflow_files.ts";
import { readMessages, readSteps, runAct, type StepRan } from "./act.ts";
import { listSteps } from "./coverage.ts";
import { type RehearsalGitHub, repository, serveGitHub } from "./github.ts";

/** Adds `rehearse`. */
export function addRehearse(program: Command, context: CommandContext): void {
  program.command("rehearse")
    .description("run the workflows with act, and list the steps that ran and those that did not")
    .argument("<actions>", "a folder with the pinned actions, each in <owner>/<name>@<commit>")
    .argument("[parts...]", `of ${Object.keys(parts).join(", ")} (default: all)`)
    .addHelpText("after", examples("rehearse ~/actions", "rehearse ~/actions bench"))
    .action((actions: string, names: string[]) => rehearse(actions, names, context));
}

/** A place to rehearse in. */
interface Stage {
  /** The clone, whose workflows can run here. */
  root: string;
  github: RehearsalGitHub;
  /** Starts a workflow; at the tip of the default branch unless told otherwise. */
  run(
    workflow: string,
    event: string,
    payload: unknown,
    args?: string[],
    at?: { ref: string; sha: string },
  ): Promise<Rehearsed>;
}

interface Rehearsed {
  workflow: string;
  success: boolean;
  log: string;
}

const token = "rehearsal";

/** What is rehearsed, each with the workflows that it runs. */
const parts: Record<string, (stage: Stage) => Promise<Rehearsed[]>> = {
  smoke: async ({ run }) => [await run("bench.yml", "workflow_dispatch", dispatch("smoke"), one)],
  bench: async ({ run }) => [await run("bench.yml", "workflow_dispatch", dispatch("quick"), one)],
  check: async ({ run }) => [
    await run("check.yml", "push", { before: "0".repeat(40) }, ["--job", "check"]),
  ],
  verify: async ({ run }) => [
    await run("check.yml", "push", { before: "0".repeat(40) }, ["--job", "verify", ...oneOfMany]),
  ],
  "pull-request": async (stage) => {
    const { head, merge } = await openPullRequest(stage);
    const event = { number: 7, pull_request: { number: 7, head: { sha: head, ref: "change" } } };
    const at = { ref: "refs/pull/7/merge", sha: merge };
    return [await stage.run("pull-request.yml", "pull_request", event, oneOfMany, at)];
  },
  // Of the pull request, where that was rehearsed; else of one whose jobs left nothing.
  comment: async ({ root, github, run }) => {
    const head = github.pullRequests[0]?.headSha ?? await git(root, "rev-parse", "HEAD");
    if (github.pullRequests.length === 0) {
      github.pullRequests.push({ number: 7, headSha: head, headBranch: "change" });
    }
    const [owner] = repository.split("/");
    const ended = {
      ...{ id: 1, event: "pull_request", conclusion: "success", head_sha: head },
      html_url: `${github.url}/${repository}/actions/runs/1`,
      head_branch: "change",
      head_repository: { id: 1, full_name: repository, owner: { login: owner } },
    };
    return [await run("comment.yml", "workflow_run", { workflow_run: ended })];
  },
};

const oneOfMany = ["--matrix", "scenario:hello", "--matrix", "impl:go"];

/** Pushes the merge of a change to an implementation, as GitHub makes it of a pull request. */
async function openPullRequest(
  { root, github }: Stage,
): Promise<{ head: string; merge: string }> {
  const base = await git(root, "rev-parse", "HEAD");
  const as = ["-c", "user.name=Rehearsal", "-c", "user.email=rehearsal@example.org"];
  await git(root, "switch", "--quiet", "--detach");
  await Deno.writeTextFile(join(root, "impls/go/main.go"), "\n// A change.\n", { append: true });
  await git(root, ...as, "commit", "--quiet", "--all", "--message", "A change");
  const head = await git(root, "rev-parse", "HEAD");
  await git(root, "switch", "--quiet", "--detach", base);
  await git(root, ...as, "merge", "--quiet", "--no-ff", "--message", "A merge", head);
  const merge = await git(root, "rev-parse", "HEAD");
  await git(root, "push", "--quiet", "origin", `${merge}:refs/pull/7/merge`);
  await git(root, "switch", "--quiet", "--detach", base);
  github.pullRequests.push({ number: 7, headSha: head, headBranch: "change" });
  return { head, merge };
}

/** The job of one implementation in one scenario. */
const one = ["--matrix", "scenario:hello"];

function dispatch(profile: string): unknown {
  return { inputs: { profile, implementations: "go" } };
}

/**
 * Rehearses the named parts, or all.
 *
 * @throws {BenchError} when a step failed.
 */
export async function rehearse(
  actions: string,
  names: string[],
  { folders, report, signal, scratch, print }: CommandContext,
): Promise<void> {
  const act = await findProgram("act", Deno.env.toObject());
  const missing = await missingActions(folders.root, actions);
  if (act === undefined || missing.length > 0) {
    const what = [...(act === undefined ? ["act on PATH"] : []), ...missing];
    return print(`Skipped: the rehearsal needs ${what.join(", ")}`);
  }
  const bare = join(scratch, "origin.git");
  await git(scratch, "init", "--quiet", "--bare", "--initial-branch", "main", bare);
  await git(bare, "config", "http.receivepack", "true");
  await using github = serveGitHub(bare, token);
  const database = await Deno.makeTempDir({ dir: scratch });
  await using server = await openEmptyServer({ report, signal, folder: database });
  const root = await cloneForHere(folders.root, { scratch, bare, url: urlOf(server.address) });
  const ran = new Map<string, StepRan[]>();
  const wanted = names.length === 0 ? Object.keys(parts) : names;
  const failed: string[] = [];
  for (const name of wanted) {
    const part = parts[name];
    if (part === undefined) {
      throw new BenchError(
        `Cannot rehearse "${name}": there is no such part, expected ${Object.keys(parts).join()}`,
      );
    }
    report.line(`Rehearsing ${name}`);
    const run = runIn(root, { act, actions, github, scratch, signal });
    for (const { workflow, success, log } of await part({ root, github, run })) {
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

/** Returns which pinned actions the folder lacks, but for those that something stands in for. */
async function missingActions(root: string, folder: string): Promise<string[]> {
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
async function foldersOfActions(
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

async function pinnedActions(root: string): Promise<string[]> {
  const { steps } = await readWorkflowFiles(root);
  const used = steps.flatMap(({ step: { uses } }) => uses !== undefined ? [uses] : []);
  const pinned = used.filter((uses) => !uses.startsWith("./"))
    .map((uses) => uses.replace(/^([^/]+\/[^/@]+)[^@]*@/, "$1@"));
  return [...new Set(pinned)].sort();
}

/**
 * Clones what is committed, and changes there what only GitHub has: the service container becomes the given database.
 * The change is committed and on the branch, because nothing else is published.
 */
async function cloneForHere(
  from: string,
  { scratch, bare, url }: { scratch: string; bare: string; url: string },
): Promise<string> {
  const root = join(scratch, "clone");
  await git(scratch, "clone", "--quiet", "--no-hardlinks", from, root);
  const folder = join(root, ".github/workflows");
  for await (const { name } of Deno.readDir(folder)) {
    const path = join(folder, name);
    const text = await Deno.readTextFile(path);
    const changed = text.replace(/^ {4}services:\n(?: {6}.*\n|\n)+/gm, "")
      .replaceAll(/DATABASE_URL: .*/g, `DATABASE_URL: ${url}`);
    await Deno.writeTextFile(path, changed);
  }
  await shorten(join(root, "bench/results/plan.ts"));
  const identity = ["-c", "user.name=Rehearsal", "-c", "user.email=rehearsal@example.org"];
  await git(root, ...identity, "commit", "--quiet", "--all", "--message", "For the rehearsal");
  await git(root, "remote", "set-url", "origin", bare);
  await git(root, "push", "--quiet", "origin", "HEAD:refs/heads/main");
  return root;
}

/** What of the profile quick is shortened: only the steps are rehearsed, so figures need not tell anything. */
const shorter: [RegExp, string][] = [
  [/(quick: \{ requests: )50_000/, "$12_000"],
  [
    /(quick: \{\s+budgetSeconds: )110(,\s+minRounds: )7([^}]*warmUpRequests: )10_000/,
    "$11$23$31_000",
  ],
  [/(quick: \{ requests[^\n]*startupRuns: )8/, "$14"],
  [/(quick: \{\s+ratesPerSecond: )\[[^\]]*\]/, "$1[100, 1_000]"],
  [/(quick: \{\s+ratesPerSecond[^}]*warmUpRequests: )20_000/, "$11_000"],
];

async function shorten(path: string): Promise<void> {
  let text = await Deno.readTextFile(path);
  for (const [long, short] of shorter) {
    if (!long.test(text)) throw new BenchError(`Cannot shorten "${path}": it lacks ${long}`);
    text = text.replace(long, short);
  }
  await Deno.writeTextFile(path, text);
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

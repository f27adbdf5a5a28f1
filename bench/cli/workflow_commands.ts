/** The commands that only workflows need: each is a step of a job, takes files and outputs, and leaves the same. */
import type { Command } from "commander";
import { allPassed } from "./all_passed.ts";
import { type CommandContext, examples } from "./command.ts";
import { makeMatrix } from "./matrix.ts";
import { listImplIds } from "../impl/discover.ts";
import { BenchError } from "../lib/error.ts";
import { writeBenchmarkData } from "../github/publish/benchmark_data.ts";
import { findSuspects, readIssues, sendAlerts } from "../github/alert/alert.ts";
import { postCommentFile, writeComment } from "../github/comment/comment.ts";
import { commitRun } from "../github/publish/commit_run.ts";
import { valueOf } from "../github/environment.ts";
import { findTouchedImpls } from "./touched.ts";
import { readCheckout } from "../lib/git.ts";
import { newRunId } from "../results/store.ts";

/** Adds the commands to the program. */
export function addWorkflowCommands(
  program: Command,
  { folders, report, signal, print }: CommandContext,
): void {
  const command = (name: string, description: string) =>
    program.command(name).description(description);
  // Where none is named, `makeMatrix()` takes all.
  const matrixOf = async (ids: string[]) =>
    ids.length === 0 ? { include: [] } : await makeMatrix(folders.impls, ids);
  command("matrix", "show implementations as a workflow's matrix, and set it as the job's output")
    .argument("[ids...]", "folders under impls/, also separated by spaces (default: all)")
    .addHelpText("after", examples("matrix", "matrix deno rust"))
    .action(async (words: string[]) => {
      // A form's field is one word here, with many ids in it, or none.
      const ids = words.flatMap((word) => word.split(/\s+/)).filter((id) => id !== "");
      await setOutput("matrix", JSON.stringify(await makeMatrix(folders.impls, ids)));
    });
  command("touched", "show as a matrix which implementations differ from a commit")
    .argument("<base>", "a branch, tag or commit")
    .addHelpText("after", examples("touched main"))
    .action(async (base: string) => {
      const touched = await findTouchedImpls(folders.root, base);
      const ids = touched.map(({ id }) => id);
      const { include } = await matrixOf(ids);
      const isInBase = new Map(touched.map((impl) => [impl.id, impl.isInBase]));
      const entries = include.map((entry) => ({ ...entry, isInBase: isInBase.get(entry.impl) }));
      await setOutput("matrix", JSON.stringify({ include: entries }));
    });
  command("run-id", "make the id that all jobs of a run share, and set it as the job's output")
    .addHelpText("after", examples("run-id"))
    .action(async () => {
      const { commit } = await readCheckout(folders.root);
      await setOutput("run-id", newRunId(new Date(), commit));
    });
  command("all-passed", "end as the other jobs of a workflow did")
    .argument("<results>", 'a list like ["success", "skipped"]')
    .addHelpText("after", examples('all-passed \'["success", "skipped"]\''))
    .action((results: string) => {
      if (allPassed(results)) return print("Every job passed");
      throw new BenchError(`Cannot pass: the jobs ended with ${results}, expected success`);
    });
  command("commit-run", "publish the artifacts of a run in one commit on a branch")
    .argument("<run-id>", "the run that the results are of")
    .argument("<artifacts>", "a folder with a folder for each artifact")
    .argument("<branch>", "the branch of origin to publish on")
    .addHelpText("after", examples("commit-run 20261121T153531Z-1fef98d artifacts main"))
    .action(async (runId: string, artifactsFolder: string, branch: string) => {
      const options = { artifactsFolder, root: folders.root, branch, report, signal };
      const { commit, isNew, implIds, damaged } = await commitRun(runId, options);
      print(`${implIds.join(", ")}: ${isNew ? "published" : "there already"} in ${commit}`);
      // Before the failure: the good results are published, and the next steps go on with them.
      await setOutput("published", commit);
      if (damaged.length > 0) throw new BenchError(damaged.join("\n"));
    });
  command("benchmark-data", "write a published run as github-action-benchmark reads it")
    .argument("<run-id>", "a folder under site/data/runs/")
    .argument("<target>", "the folder to write into")
    .addHelpText("after", examples("benchmark-data 20261121T153531Z-1fef98d benchmark"))
    .action(async (runId: string, target: string) => {
      const environment = Deno.env.toObject();
      const [server, repository] = ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY"]
        .map((name) => valueOf(name, environment));
      const repositoryUrl = `${server}/${repository}`;
      await Deno.mkdir(target, { recursive: true });
      const { publishedRuns } = folders;
      const written = await writeBenchmarkData(runId, { publishedRuns, repositoryUrl, target });
      for (const { direction, inputPath } of written) await setOutput(direction, inputPath);
    });
  command("regressions", "show what a published run makes suspect, to be measured once more")
    .argument("<run-id>", "a folder under site/data/runs/")
    .addHelpText("after", examples("regressions 20261121T153531Z-1fef98d"))
    .action(async (runId: string) => {
      const { publishedRuns } = folders;
      const implIds = await listImplIds(folders.impls);
      const issues = await readIssues(Deno.env.toObject(), signal);
      const suspects = await findSuspects(runId, { publishedRuns, implIds, issues, report });
      await setOutput("matrix", JSON.stringify(await matrixOf(suspects.implIds)));
      await setOutput("run-id", suspects.rerunId);
    });
  command("alert", "open, rewrite or close the issue of each implementation of a published run")
    .argument("<run-id>", "a folder under site/data/runs/")
    .argument("<rerun-id>", "the run that measured suspects once more")
    .argument("<artifacts>", "the folder that its artifacts are in, if there are any")
    .option("--site <url>", "where the site is published")
    .addHelpText(
      "after",
      examples("alert 20261121T153531Z-1fef98d 20261121T190000Z-1fef98d artifacts"),
    )
    .action(async (runId: string, rerunId: string, artifactsFolder: string, { site }) => {
      const request = { runId, rerunId, artifactsFolder, siteUrl: site };
      const { publishedRuns } = folders;
      const environment = Deno.env.toObject();
      const implIds = await listImplIds(folders.impls);
      const options = { publishedRuns, implIds, environment, report, signal };
      const damaged = await sendAlerts(request, options);
      if (damaged.length > 0) throw new BenchError(damaged.join("\n"));
    });
  command("comment", "write what a pull request's artifacts say as a comment")
    .argument("<artifacts>", "the folder that they are in")
    .argument("<file>", "the comment to write")
    .addHelpText("after", examples("comment artifacts comment.md"))
    .action((folder: string, file: string) => writeComment(folder, file, Deno.env.toObject()));
  command("comment-post", "write a comment on the pull request of the event, or update it")
    .argument("<file>", "the comment")
    .addHelpText("after", examples("comment-post comment.md"))
    .action((file: string) => postCommentFile(file, Deno.env.toObject(), { report, signal }));
}

/** Prints a value and, where GitHub asks for outputs, sets it as one of the step. */
async function setOutput(name: string, value: string): Promise<void> {
  console.log(value);
  const path = Deno.env.get("GITHUB_OUTPUT");
  if (path) await Deno.writeTextFile(path, `${name}=${value}\n`, { append: true });
}

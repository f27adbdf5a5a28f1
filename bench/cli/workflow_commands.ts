// deno-lint-ignore-file no-console -- the output of a step
/** The commands that only workflows need: each is a step of a job, with files and outputs in and out. */
import { type Command, Option } from "commander";
import { comparedIds, positive } from "./arguments.ts";
import { type CommandContext, examples } from "./command.ts";
import {
  allowedMachines,
  type Machines,
  makeMatrix,
  type MatrixEntry,
  mostJobs,
  onMachines,
  requireAllowed,
} from "./matrix.ts";
import { BenchError } from "../lib/error.ts";
import { writeBenchmarkData } from "../github/publish/benchmark_data.ts";
import { findSuspects, readIssues, sendAlerts } from "../github/alert/alert.ts";
import { postCommentFile, writeComment } from "../github/comment/comment.ts";
import { requireDownloaded } from "../github/downloaded.ts";
import { commitRun } from "../github/publish/commit_run.ts";
import { valueOf } from "../github/environment.ts";
import type { ImplInScenario } from "../github/figures.ts";
import { allowedJobs, findTouchedImpls, jobsOfChange } from "./touched.ts";
import { readCheckout } from "../lib/git.ts";
import type { Report } from "../lib/report.ts";
import { planOfProfile } from "../results/plan.ts";
import { type ProfileName, profiles } from "../results/profiles.ts";
import type { Plan } from "../results/result_schema.ts";
import { loadContracts } from "../scenario/words.ts";
import { newRunIds, parseRunIds, type RunIds } from "../github/run_ids.ts";

/** GitHub's image that the workflows are written for. */
const usualRunner = "ubuntu-24.04";

const runIdsHelp = "the id of each scenario's run, as `matrix` prints them";
const someRunIds = '{"jwt-mysql":"20261122T123600Z-1f7e990"}';

/** Adds the commands to the program. */
export function addWorkflowCommands(
  program: Command,
  { folders, report, signal, print }: CommandContext,
): void {
  const command = (name: string, description: string) =>
    program.command(name).description(description);
  command(
    "matrix",
    "show what a workflow measures, and set it as the job's outputs",
  )
    .argument("[ids...]", "folders under impls/, also separated by spaces (default: all)")
    .addOption(replicasOption())
    .addOption(runnerOption())
    .addOption(armRunnerOption())
    .option("--since <commit>", "only implementations that changed since a branch, tag or commit")
    .addHelpText("after", examples("matrix", "matrix deno rust --replicas 3"))
    .action(async (words: string[], { since, ...machines }: Machines & { since?: string }) => {
      // The field of a form is one argument, with several ids in it, or none.
      const ids = words.flatMap((word) => word.split(/\s+/)).filter((id) => id !== "");
      // Only a push has a commit before it; for other events, the text is empty.
      const touched = since ? await findTouchedImpls(folders.root, since) : undefined;
      const entries = (await makeMatrix(folders.impls, ids)).filter(({ impl }) =>
        touched === undefined || touched.some(({ id }) => id === impl)
      );
      const { commit } = await readCheckout(folders.root);
      await setMeasurements(entries, newRunIds(new Date(), commit), machines, report);
    });
  command(
    "touched",
    "show which implementations differ from a commit, and the jobs that measure them",
  )
    .argument("<base>", "a branch, tag or commit")
    .addHelpText("after", examples("touched main"))
    .action(async (base: string) => {
      const touched = await findTouchedImpls(folders.root, base);
      // Without ids, `makeMatrix()` would take all.
      const ids = touched.map(({ id }) => id);
      const entries = ids.length === 0 ? [] : await makeMatrix(folders.impls, ids);
      requireAllowed(entries.length);
      const jobs = jobsOfChange(entries, touched, comparedIds);
      const measuring = allowedJobs(jobs);
      if (measuring.length < jobs.length) {
        report.line(
          `No comparison with the base: ${jobs.length} jobs would exceed GitHub's limit of ` +
            `${mostJobs} for a matrix`,
        );
      }
      await setOutput("matrix", JSON.stringify({ include: entries }));
      await setOutput("measuring", JSON.stringify({ include: measuring }));
    });
  command("commit-run", "publish the artifacts of a workflow's runs in one commit on a branch")
    .argument("<run-ids>", runIdsHelp)
    .argument("<artifacts>", "a folder with a folder for each artifact")
    .argument("<branch>", "the branch of origin to publish on")
    .addOption(attemptsOption())
    .addOption(measuredOption())
    .addHelpText("after", examples(`commit-run '${someRunIds}' artifacts main`))
    .action(
      async (runIds: string, artifactsFolder: string, branch: string, { attempts, profile }) => {
        const environment = Deno.env.toObject();
        const commit = valueOf("GITHUB_SHA", environment);
        await requireDownloaded(artifactsFolder, "result", { environment, signal });
        const published = await commitRun(parseRunIds(runIds), {
          ...{ artifactsFolder, attempts, branch, commit, report, signal },
          plans: await plansOf(profile),
          root: folders.root,
        });
        const { isNew, results, damaged } = published;
        const names = results.map(({ impl, scenario }) => `${impl.id} (${scenario})`).join(", ");
        print(`${names}: ${isNew ? "published" : "already published"} in ${published.commit}`);
        // Before throwing, because the good results are published and the next steps need them.
        await setOutput("published", published.commit);
        await setOutput("run-ids", JSON.stringify(published.runIds));
        if (damaged.length > 0) throw new BenchError(damaged.join("\n"));
      },
    );
  command("benchmark-data", "write published runs and their baseline for github-action-benchmark")
    .argument("<run-ids>", runIdsHelp)
    .argument("<target>", "the folder to write into")
    .addHelpText("after", examples(`benchmark-data '${someRunIds}' benchmark`))
    .action(async (runIds: string, target: string) => {
      const environment = Deno.env.toObject();
      const [server, repository] = ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY"]
        .map((name) => valueOf(name, environment));
      const repositoryUrl = `${server}/${repository}`;
      await Deno.mkdir(target, { recursive: true });
      const options = { publishedRuns: folders.publishedRuns, repositoryUrl, target };
      const written = await writeBenchmarkData(parseRunIds(runIds), options);
      for (const { direction, inputPath } of written) await setOutput(direction, inputPath);
    });
  command(
    "regressions",
    "list suspected regressions in published runs, to be measured again",
  )
    .argument("<run-ids>", runIdsHelp)
    .addOption(replicasOption())
    .addOption(runnerOption())
    .addHelpText("after", examples(`regressions '${someRunIds}'`))
    .action(async (runIds: string, machines: Machines) => {
      const { publishedRuns } = folders;
      const entries = await makeMatrix(folders.impls, []);
      const options = {
        publishedRuns,
        impls: implsOf(entries),
        issues: await readIssues(Deno.env.toObject(), { report, signal }),
        report,
      };
      const suspects = await findSuspects(parseRunIds(runIds), options);
      const again = entries.filter(({ impl, scenario }) =>
        suspects.impls.some((other) => other.implId === impl && other.scenario === scenario)
      );
      await setMeasurements(again, suspects.rerunIds, machines, report);
    });
  command(
    "alert",
    "open, update or close issues about regressions in published runs",
  )
    .argument("<run-ids>", runIdsHelp)
    .argument("<rerun-ids>", "the id of each scenario's run that measured suspects again")
    .argument("<artifacts>", "the folder that their artifacts are in, if there are any")
    .option("--site <url>", "where the site is published")
    .addOption(attemptsOption())
    .addOption(measuredOption())
    .addHelpText(
      "after",
      examples(`alert '${someRunIds}' '{"jwt-mysql":"20261121T190000Z-1fef98d"}' artifacts`),
    )
    .action(
      async (
        runIds: string,
        rerunIds: string,
        artifactsFolder: string,
        { site, attempts, profile },
      ) => {
        const request = {
          runIds: parseRunIds(runIds),
          rerunIds: parseRunIds(rerunIds),
          artifactsFolder,
          attempts,
          plans: await plansOf(profile),
          siteUrl: site,
        };
        const damaged = await sendAlerts(request, {
          publishedRuns: folders.publishedRuns,
          impls: implsOf(await makeMatrix(folders.impls, [])),
          environment: Deno.env.toObject(),
          report,
          signal,
        });
        if (damaged.length > 0) throw new BenchError(damaged.join("\n"));
      },
    );
  command("comment", "render a pull request's artifacts as a comment")
    .argument("<artifacts>", "the folder that they are in")
    .argument("<file>", "the comment to write")
    .addHelpText("after", examples("comment artifacts comment.md"))
    .action((folder: string, file: string) => writeComment(folder, file, Deno.env.toObject()));
  command("comment-post", "write or update a comment on the pull request of the event")
    .argument("<file>", "the comment")
    .addHelpText("after", examples("comment-post comment.md"))
    .action((file: string) => postCommentFile(file, Deno.env.toObject(), { report, signal }));
}

function attemptsOption(): Option {
  return new Option("--attempts <count>", "how many attempts the workflow's run has had")
    .argParser(positive).default(1);
}

/** The profile of all that the workflow's run measured. */
function measuredOption(): Option {
  return new Option("--profile <profile>", "what was measured with (default: any)")
    .choices(Object.keys(profiles));
}

/** Returns the plan of each scenario; undefined where no profile is named. */
async function plansOf(profile?: ProfileName): Promise<Record<string, Plan> | undefined> {
  if (profile === undefined) return undefined;
  const contracts = await loadContracts();
  return Object.fromEntries(
    contracts.map((contract) => [contract.id, planOfProfile(profile, contract)]),
  );
}

function implsOf(entries: readonly MatrixEntry[]): ImplInScenario[] {
  return entries.map(({ impl, scenario }) => ({ implId: impl, scenario }));
}

/** Sets the outputs: the matrix, each entry with its run id and machine, and all run ids. */
async function setMeasurements(
  entries: readonly MatrixEntry[],
  runIds: RunIds,
  machines: Machines,
  report: Report,
): Promise<void> {
  const allowed = allowedMachines(entries.length, machines);
  if (allowed.replicas < machines.replicas) {
    report.line(
      `Measuring each on ${allowed.replicas} of ${machines.replicas} machines: ` +
        `GitHub's limit is ${mostJobs} jobs for a matrix`,
    );
  }
  const include = onMachines(entries, runIds, allowed);
  await setOutput("matrix", JSON.stringify({ include }));
  await setOutput("run-ids", JSON.stringify(runIds));
}

function replicasOption(): Option {
  return new Option("--replicas <count>", "machines that measure each of them at once")
    .argParser(positive).default(1);
}

function runnerOption(): Option {
  // A repository's variable is empty where it is not set.
  return new Option("--runner <label>", "the runners that measure")
    .argParser((label) => label || usualRunner).default(usualRunner);
}

function armRunnerOption(): Option {
  return new Option("--arm-runner <label>", "one machine more, as a series of its own");
}

/** Prints a value and, in a workflow, sets it as an output of the step. */
async function setOutput(name: string, value: string): Promise<void> {
  console.log(value);
  const path = Deno.env.get("GITHUB_OUTPUT");
  if (path) await Deno.writeTextFile(path, `${name}=${value}\n`, { append: true });
}

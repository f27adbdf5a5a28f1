/**
 * Cost: what does the harness itself take? Measures, on this machine, each limit that the project has set
 * itself, and writes the table into `bench/README.md`. Everything is done for real: a fresh set-up goes to an
 * empty cache folder.
 */
import { delay } from "@std/async";
import type { Command } from "commander";
import { basename, dirname, join } from "@std/path";
import { type CommandContext, examples } from "../../cli/command.ts";
import { cacheFolder } from "../../lib/cache.ts";
import { openDatabase } from "../../database/open.ts";
import { findUnpacked } from "../../database/packages.ts";
import { BenchError } from "../../lib/error.ts";
import { describeMachine } from "../../machine/describe.ts";
import { countAnswers } from "../../measure/count_answers.ts";
import { lineCount, measureCostOfOha, startNullServer } from "./oha_cost.ts";
import { secondsSince } from "./site_cost.ts";
import { startLoad } from "../../load/oha.ts";
import { peakRss } from "../../machine/proc.ts";
import { logTail } from "../../lib/log_lines.ts";
import { runProcess, startProcess } from "../../lib/process.ts";
import { processTree } from "../../lib/process_tree.ts";
import { lastRepetition } from "../../results/outcome.ts";
import { defaultScenarioId } from "../../scenario/ids.ts";
import { allData, allGrants, loadScenario } from "../../scenario/list.ts";
import { ensureOha } from "../../tools/tools.ts";
import { readResult } from "../../results/store.ts";
import { writeAtomically } from "../../lib/write_atomically.ts";

/** Adds `cost`. */
export function addCost(program: Command, context: CommandContext): void {
  program.command("cost")
    .description("measure what the harness itself takes, into the table of bench/README.md")
    .addHelpText("after", examples("cost"))
    .action(async () => {
      const table = await measureCosts(context);
      await writeCosts(context.folders.root, table);
      context.print(table);
    });
}

/** One line of the table. */
interface Cost {
  what: string;
  measured: string;
  limit: string;
}

/** Measures every cost, and returns the table as Markdown. */
async function measureCosts(context: CommandContext): Promise<string> {
  const costs = [
    await costOfSetUp(context),
    ...await costsOfDatabase(context),
    ...await costsOfRun(context),
    await costOfReducing(context),
    ...await costsOfOha(context),
  ];
  const { cpuModel, cpuCount, os } = await describeMachine();
  const rows = costs.map(({ what, measured, limit }) => `| ${what} | ${measured} | ${limit} |`);
  const date = new Date().toISOString().slice(0, 10);
  return [
    `Measured by \`just cost\` on ${date}: ${cpuModel}, ${cpuCount} processors, ${os}.`,
    "",
    "| what | measured | limit |",
    "|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Puts the table between its two marks in `bench/README.md`, and formats it as `just check` wants it. */
async function writeCosts(root: string, table: string): Promise<void> {
  const path = join(root, "bench", "README.md");
  const text = await Deno.readTextFile(path);
  const marks = /(<!-- costs: begin -->\n)[^]*?(<!-- costs: end -->)/;
  if (!marks.test(text)) {
    throw new BenchError(
      `Cannot write "${path}": it has no marks of costs, expected begin and end`,
    );
  }
  await writeAtomically(
    path,
    text.replace(marks, (_, begin, end) => `${begin}\n${table}\n\n${end}`),
  );
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", path], cwd: root }).output();
}

/** The whole set-up with empty caches, those of package managers, too: Deno, its modules, oha, Hugo, MySQL with its users. */
async function costOfSetUp({ folders, report, signal, scratch }: CommandContext): Promise<Cost> {
  report.line("Setting everything up in an empty cache folder");
  const cache = join(scratch, "cache");
  const startMs = performance.now();
  const { code } = await runProcess(["bench/deno.sh", "run", "-A", "bench/main.ts", "setup"], {
    cwd: folders.root,
    env: {
      BACKBENCH_CACHE: cache,
      DENO_DIR: join(cache, "deno-dir"),
      CARGO_HOME: join(cache, "cargo"),
      GOMODCACHE: join(cache, "go"),
      PIP_CACHE_DIR: join(cache, "pip"),
      npm_config_cache: join(cache, "npm"),
    },
    logPath: join(scratch, "setup.log"),
    signal,
  });
  const took = secondsSince(startMs);
  await Deno.remove(cache, { recursive: true });
  if (code !== 0) throw new BenchError(`Cannot set up: exit code is ${code}, expected 0`);
  return { what: "set-up on a fresh machine", measured: took, limit: "8 min" };
}

async function costsOfDatabase({ report, signal, scratch }: CommandContext): Promise<Cost[]> {
  report.line("Making the database");
  // What is unpacked is taken from the cache by a link; the seeded template is not.
  const cache = join(scratch, "cache-without-template");
  await Deno.mkdir(cache);
  const unpacked = await findUnpacked(cacheFolder(Deno.env.toObject()));
  if (unpacked !== undefined) await Deno.symlink(unpacked, join(cache, basename(unpacked)));
  const env = { ...Deno.env.toObject(), BACKBENCH_CACHE: cache };
  const folder = join(scratch, "database");
  await Deno.mkdir(folder);
  const costs: Cost[] = [];
  const [scenario, sql] = [await loadScenario(defaultScenarioId), await allData()];
  const grants = await allGrants();
  for (const what of ["private MySQL from nothing to 100,000 rows", "the same, again"]) {
    const startMs = performance.now();
    await using database = await openDatabase({ report, signal, folder, env, sql, grants });
    await scenario.data?.ensure(database, { signal });
    costs.push({ what, measured: secondsSince(startMs), limit: costs.length === 0 ? "15 s" : "" });
    if (costs.length === 1) continue;
    const prepareMs = performance.now();
    await scenario.prepare({ database, secret: "s", random: Math.random, folder, signal });
    costs.push({
      what: "100,000 tokens, and the answers to compare with",
      measured: secondsSince(prepareMs),
      limit: "5 s",
    });
  }
  return costs;
}

/** A real run from its command line, for what comes before it measures and for what the harness uses then. */
async function costsOfRun({ folders, report, signal, scratch }: CommandContext): Promise<Cost[]> {
  report.line("Measuring the harness while it measures");
  const logPath = join(scratch, "run.log");
  const startMs = performance.now();
  await using process = startProcess(
    ["npx", "--yes", "rust-just", "bench", "rust", "--levels", "50", "--requests", "500000"],
    { cwd: folders.root, logPath },
  );
  let untilVerify: string | undefined;
  let peakMemoryBytes = 0;
  while (process.exited() === undefined) {
    await delay(50, { signal });
    if (untilVerify === undefined && /^Verifying/m.test(await logTail(logPath))) {
      untilVerify = secondsSince(startMs);
    }
    const harness = processTree(process.pid).find(isHarness);
    if (harness !== undefined) peakMemoryBytes = Math.max(peakMemoryBytes, peakRss(harness) ?? 0);
  }
  const path = /^.*\.json$/m.exec(await logTail(logPath))?.[0];
  if (path === undefined || untilVerify === undefined) {
    throw new BenchError("Cannot measure the harness: its run gave no result", {
      help: await logTail(logPath),
    });
  }
  const [level] = (await readResult(path)).levels;
  await Deno.remove(dirname(path), { recursive: true });
  const resources = level && lastRepetition(level).observation?.resources;
  if (resources === undefined) {
    throw new BenchError("Cannot measure the harness: its run has no resources, expected Linux");
  }
  const { harness, machine } = resources;
  return [
    {
      what: "from the command to verification, nothing to set up",
      measured: untilVerify,
      limit: "2 s",
    },
    {
      what: "CPU of the harness during a load",
      measured: `${(100 * harness.cpuSeconds / machine.capacityCpuSeconds).toFixed(1)} %`,
      limit: "2 % of the machine",
    },
    {
      what: "peak memory of the harness in a run of 500,000 requests",
      measured: `${Math.round(peakMemoryBytes / 1e6)} MB`,
      limit: "300 MB",
    },
  ];
}

function isHarness(pid: number): boolean {
  try {
    const command = Deno.readTextFileSync(`/proc/${pid}/cmdline`).split("\0");
    return /deno$/.test(command[0] ?? "") && command.includes("bench/main.ts");
  } catch {
    // It ended meanwhile.
    return false;
  }
}

async function costOfReducing({ report, signal, scratch }: CommandContext): Promise<Cost> {
  report.line("Reducing 500,000 rows");
  const { path: ohaPath } = await ensureOha({ report, signal });
  const requestsPath = join(scratch, "requests.jsonl");
  await Deno.writeTextFile(requestsPath, '{"headers":{"authorization":"Bearer x"}}\n');
  await using server = await startNullServer(scratch, { report, signal });
  await using load = startLoad({
    ohaPath,
    url: `${server.url}/`,
    connections: 50,
    requests: 500_000,
    ...{ requestsPath, firstLine: 0 },
    requestTimeoutSeconds: 10,
    folder: scratch,
    signal,
  });
  await load.ended;
  const startMs = performance.now();
  const outcome = await load.outcome;
  const isRight = Uint8Array.from(outcome.responses.status, (code) => code === 200 ? 1 : 0);
  const witnessed = { isRight, wrong: {}, problems: [], statements: 0, refused: 0 };
  const { correct } = countAnswers(outcome, witnessed);
  if (correct !== 500_000) throw new BenchError(`Cannot reduce: ${correct} rows, expected 500000`);
  return { what: "500,000 rows reduced", measured: secondsSince(startMs), limit: "5 s" };
}

async function costsOfOha(context: CommandContext): Promise<Cost[]> {
  const { throughput, startSeconds } = await measureCostOfOha(context);
  const { estimate, low, high, rounds } = throughput;
  const interval = `${low.toFixed(3)} to ${high.toFixed(3)}`;
  return [
    {
      what: "throughput of oha with a file of requests, over that of plain oha",
      measured: `${estimate.toFixed(3)}, 95 % interval ${interval}, ${rounds} rounds`,
      limit: "0.98 at least",
    },
    {
      what: `oha with ${lineCount.toLocaleString("en")} lines, of which it sends one`,
      measured: `${startSeconds.toFixed(2)} s`,
      limit: "0.3 s",
    },
  ];
}

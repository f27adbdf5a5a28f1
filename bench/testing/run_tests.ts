// deno-lint-ignore-file no-console -- it is a command line
/**
 * Runs the tests: `unit`; `site`, which build the site and drive a browser; `server`, which build, start databases and
 * servers, and judge answers under load; `measure`, one after the other, whose outcome other load on the machine would
 * change; by default all, the first three side by side, and nothing beside a measurement. Tools that the last two need
 * are built before, because a test that waits for one may give up. Types are checked by `just check`. Anything else goes
 * to `deno test` as it is. What failed stands at the end, above one line of counts.
 */
import { fromFileUrl } from "@std/path";
import { sumOf } from "../lib/sum.ts";
import { type Batches, serverTests, writeBatches } from "./batches.ts";

/** These take longest, so they begin first. */
const longest = [
  ...["testing/everywhere", "testing/impls", "measure/red_team", "scenario/gateway/gateway"],
  ...["scenario/verify", "cli/bench", "scenario/notify/notify", "scenario/insert/insert"],
].map((name) => `bench/${name}_server_test.ts`);
const longestOfSite = "site/tests/browser_test.ts";

const bench = fromFileUrl(new URL("..", import.meta.url));
const groupNames = ["unit", "site", "server", "measure"] as const;
type GroupName = (typeof groupNames)[number];
const isGroup = (word: string): word is GroupName => groupNames.some((name) => name === word);

/** Returns what `deno test` is told, for each of the runs that are asked for: all, or one group. */
async function runsOf({ alone, unit }: Batches, group?: GroupName): Promise<string[][]> {
  const parallel = ["--no-check", "--parallel"];
  const first = longest.map((path) => alone.get(path)!);
  const others = (await serverTests(bench)).map((path) => `bench/${path}`)
    .filter((path) => !alone.has(path));
  const server = [...first, ...others, "*_server_test.ts"];
  const site = [longestOfSite, "site/tests"];
  const groups = {
    unit: [...parallel, ...unit],
    site: [...parallel, ...site],
    server: [...parallel, ...server],
    measure: ["--no-check", "bench/**/*_measure_test.ts"],
  };
  if (group !== undefined) return [groups[group]];
  return [[...parallel, ...server, ...unit, ...site], groups.measure];
}

const usage = `Usage: just test [group]
       just test <file or option of \`deno test\`>...

run the tests: all, or one group, or what \`deno test\` is told to

Groups:
  unit     the fast ones, in parallel
  site     which build the site and drive a browser
  server   which build, start databases and servers, and judge answers under load
  measure  which other load on the machine would change, one after the other

Examples:
  just test unit
  just test bench/measure/judge_test.ts
  just test bench/measure --filter judge`;

/** How a group of tests ended. */
interface Ended {
  passed: number;
  failed: number;
  /** What `deno test` says of each failure. */
  errors: string;
}

/** Reads what `deno test` printed; one that broke off before its summary counts as a failure. */
export function readOutcome(output: string, isSuccess: boolean): Ended {
  // deno-lint-ignore no-control-regex -- colours are control characters
  const text = output.replaceAll(/\x1b\[\d*(?:;\d+)*m/g, "");
  const [, passed, failed] =
    /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed/m.exec(text) ?? [];
  const [errors = ""] = /^ ERRORS $[^]*?(?=^FAILED \|)/m.exec(text) ?? [];
  const counted = Number(failed ?? 0);
  return {
    passed: Number(passed ?? 0),
    failed: isSuccess ? counted : Math.max(counted, 1),
    errors,
  };
}

async function runDenoTest(args: string[]): Promise<Ended> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "--frozen", "-A", ...args],
    // Of files side by side, half wait for a server, a browser or a time-out; with more, cheats hide behind the others.
    // Tests have servers of their own; one that is given serves one at a time.
    env: { DENO_JOBS: String(2 * navigator.hardwareConcurrency), DATABASE_URL: "" },
    stdin: "null",
    stdout: "piped",
  }).spawn();
  let output = "";
  const decoder = new TextDecoder();
  for await (const bytes of child.stdout) {
    await Deno.stdout.write(bytes);
    output += decoder.decode(bytes, { stream: true });
  }
  return readOutcome(output, (await child.status).success);
}

/** Tells whether the tests that are asked for start servers, databases or loads. */
export function needTools([first]: readonly string[]): boolean {
  return first === undefined || ["server", "measure"].includes(first);
}

/** Fetches and builds the tools that are missing; returns whether all are there. */
async function setUp(): Promise<boolean> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--frozen", "-A", `${bench}main.ts`, "setup"],
    stdin: "null",
  }).spawn();
  return (await child.status).success;
}

/**
 * Returns what is wrong with a first word that is neither a group, an option, a pattern, nor a path, or with a group that is
 * not alone; or undefined.
 */
export async function refuse([first, ...others]: string[]): Promise<string | undefined> {
  if (first === undefined || /^-|[*?[{]/.test(first)) return undefined;
  if (isGroup(first)) {
    return others.length === 0
      ? undefined
      : `Cannot test "${first}" with "${others.join(" ")}": a group takes nothing else, ` +
        "expected a group alone, or files and options";
  }
  try {
    await Deno.stat(first);
    return undefined;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return `Cannot test "${first}": no such file, expected a path or one of ${
      groupNames.join(", ")
    }`;
  }
}

async function main(args: string[]): Promise<number> {
  if (args.some((arg) => arg === "--help" || arg === "-h")) {
    console.log(usage);
    return 0;
  }
  const refusal = await refuse(args);
  if (refusal !== undefined) {
    console.error(`${refusal}\nRun it with --help for usage.`);
    return 2;
  }
  return await runTests(args) ? 0 : 1;
}

async function runTests(args: string[]): Promise<boolean> {
  await using batches = await writeBatches(bench, longest);
  const [first] = args;
  const runs = first === undefined
    ? await runsOf(batches)
    : isGroup(first)
    ? await runsOf(batches, first)
    : [args];
  const ended: Ended[] = [];
  if (needTools(args) && !await setUp()) {
    ended.push({ passed: 0, failed: 1, errors: "The tools that tests need could not be built." });
  }
  for (const run of runs) ended.push(await runDenoTest(run));
  const total = (key: "passed" | "failed") => sumOf(ended, (it) => it[key]);
  if (runs.length > 1) { for (const { errors } of ended) if (errors !== "") console.log(errors); }
  console.log(`${total("passed")} passed, ${total("failed")} failed`);
  return total("failed") === 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));

// deno-lint-ignore-file no-console -- it is a command line
/**
 * Runs the tests: `unit`; `site`, which build the site and drive a browser; `server`, which build, start databases and
 * servers, and judge answers under load; `measure`, one after the other, whose outcome other load on the machine would
 * change; by default all, the first three side by side, and nothing beside a measurement. Their types are checked by `just
 * check`. Anything else goes to `deno test` as it is. What failed stands at the end, above one line of counts.
 */
import { fromFileUrl } from "@std/path";
import { sumOf } from "../lib/sum.ts";
import { writeBatches } from "./batches.ts";

const servers = "**/*_server_test.ts";
const measures = "**/*_measure_test.ts";
/** These take longest, so they begin first. */
const longest = [
  "testing/everywhere",
  "testing/impls",
  "scenario/gateway/gateway",
  "measure/red_team",
  "scenario/verify",
  "scenario/insert/insert",
  "cli/compare",
  "scenario/notify/notify",
].map((name) => `bench/${name}_server_test.ts`);
const longestOfSite = "site/tests/browser_test.ts";

const parallel = ["--no-check", "--parallel"];
/** Stands for the batches of unit tests. */
const unit = "unit tests";
const site = [longestOfSite, "site/tests"];
const server = [...longest, `bench/${servers}`, "*_server_test.ts"];

const groups: Record<string, string[]> = {
  unit: [...parallel, unit],
  site: [...parallel, ...site],
  server: [...parallel, ...server],
  measure: ["--no-check", `bench/${measures}`],
};

/** All of them: short tests come last, and use the processors that a long one leaves idle at its end. */
const all = [
  [...parallel, longestOfSite, ...server, ...site, unit],
  groups.measure!,
];

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
    env: { DENO_JOBS: String(2 * navigator.hardwareConcurrency) },
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

/** Returns what is wrong with a first word that is neither a group, an option, a pattern, nor a path; or undefined. */
export async function refuse([first]: string[]): Promise<string | undefined> {
  if (first === undefined || groups[first] !== undefined || /^-|[*?[{]/.test(first)) {
    return undefined;
  }
  try {
    await Deno.stat(first);
    return undefined;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return `Cannot test "${first}": no such file, expected a path or one of ${
      Object.keys(groups).join(", ")
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
    console.error(refusal);
    return 2;
  }
  return await runTests(args) ? 0 : 1;
}

async function runTests(args: string[]): Promise<boolean> {
  const chosen = args.length === 0
    ? all
    : args.length === 1 && groups[args[0]!] !== undefined
    ? [groups[args[0]!]!]
    : [args];
  await using batches = await writeBatches(fromFileUrl(new URL("..", import.meta.url)));
  const ended: Ended[] = [];
  for (const group of chosen) {
    ended.push(await runDenoTest(group.flatMap((arg) => arg === unit ? batches.paths : [arg])));
  }
  const total = (key: "passed" | "failed") => sumOf(ended, (it) => it[key]);
  if (chosen.length > 1) { for (const { errors } of ended) if (errors !== "") console.log(errors); }
  console.log(`${total("passed")} passed, ${total("failed")} failed`);
  return total("failed") === 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));

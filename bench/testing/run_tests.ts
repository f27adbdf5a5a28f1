// deno-lint-ignore-file no-console -- it is a command line
/**
 * Runs the tests: `unit`; `site`, which build the site and drive a browser; `server`, which start databases and
 * servers, or build; `measure`, one after the other, which put servers under load; by default all, in this order,
 * so that nothing runs beside a measurement. Anything else goes to `deno test` as it is. What failed stands at the
 * end, above one line of counts.
 */
const servers = "**/*_server_test.ts";
const measures = "**/*_measure_test.ts";

const groups: Record<string, string[]> = {
  unit: ["--parallel", `--ignore=${servers},${measures}`, "bench"],
  site: ["--parallel", "site/tests"],
  server: ["--parallel", `bench/${servers}`, "*_server_test.ts"],
  measure: [`bench/${measures}`],
};

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

async function runTests(args: string[]): Promise<boolean> {
  const chosen = args.length === 0
    ? Object.values(groups)
    : args.length === 1 && groups[args[0]!] !== undefined
    ? [groups[args[0]!]!]
    : [args];
  const ended: Ended[] = [];
  for (const group of chosen) ended.push(await runDenoTest(group));
  const sum = (key: "passed" | "failed") => ended.reduce((sum, it) => sum + it[key], 0);
  if (chosen.length > 1) { for (const { errors } of ended) if (errors !== "") console.log(errors); }
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") === 0;
}

if (import.meta.main) Deno.exit(await runTests(Deno.args) ? 0 : 1);

import { assertEquals, assertMatch } from "@std/assert";
import { silent } from "../lib/report.ts";
import { ensureActionlint, ensureHugo, ensureHyperfine, ensureOha, ensureZizmor } from "./tools.ts";

const signal = new AbortController().signal;

Deno.test("ensureOha() gives the oha that sends a file of requests", async () => {
  const { path, version } = await ensureOha({ report: silent, signal });
  assertEquals(version, "1.16.0+requests-file");
  assertMatch(await output(path, ["--version"]), /^oha 1\.16\.0$/m);
  assertMatch(await output(path, ["--help"]), /--requests-file/);
});

Deno.test("ensureHugo() gives the pinned Hugo", async () => {
  const { path, version } = await ensureHugo({ report: silent, signal });
  assertMatch(await output(path, ["version"]), new RegExp(`^hugo v${version}[-+ ]`));
});

Deno.test("ensureHyperfine() gives the pinned hyperfine", async () => {
  const { path, version } = await ensureHyperfine({ report: silent, signal });
  assertEquals(await output(path, ["--version"]), `hyperfine ${version}\n`);
});

Deno.test("ensureActionlint() and ensureZizmor() give the pinned programs", async () => {
  const actionlint = await ensureActionlint({ report: silent, signal });
  assertMatch(
    await output(actionlint.path, ["-version"]),
    new RegExp(`^v?${actionlint.version}$`, "m"),
  );
  const zizmor = await ensureZizmor({ report: silent, signal });
  assertEquals(await output(zizmor.path, ["--version"]), `zizmor ${zizmor.version}\n`);
});

async function output(path: string, args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command(path, { args }).output();
  return new TextDecoder().decode(stdout);
}

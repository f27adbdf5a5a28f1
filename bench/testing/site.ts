/**
 * Sites that tests look at: built as the published one is, but from other data, and each only once. In: runs, measurements
 * of noise, claims. Out: the folder and the pages.
 */
import { assertEquals } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { type HTMLElement, parse } from "node-html-parser";
import { cacheFolder, keepFolder, removeUnused } from "../lib/cache.ts";
import { digest } from "../lib/digest.ts";
import { logTail } from "../lib/log_lines.ts";
import { runProcess } from "../lib/process.ts";
import { silent } from "../lib/report.ts";
import { exampleNoise } from "./example_files.ts";
import { exampleHelloRun, exampleRun } from "./example_run.ts";
import type { NoiseFile } from "../results/files_schema.ts";
import { fileNameOf } from "../results/store.ts";
import type { Result } from "../results/result_schema.ts";
import { deriveSite } from "../site/derive.ts";
import { hugoEnvironment } from "../site/hugo.ts";
import { siteMounts } from "./site_mounts.ts";
import { copyWithFolders } from "./sources.ts";
import { ensureHugo } from "../tools/tools.ts";

const root = fromFileUrl(new URL("../..", import.meta.url));
/** A site that no test has used for so long is removed. */
const keptMs = 3_600_000;
/** The path under which tests publish the site. */
export const basePath = "/backbench/";

/** Where tests pretend that the repository is. */
export const repository = "https://example.com/backbench/backbench";

export interface Site {
  folder: string;
  /** Paths under the folder, of files that end so. */
  files(end: string): Promise<string[]>;
  page(path: string): Promise<HTMLElement>;
}

/** What a site is built from, none of it by default: folders, or what to write into them. */
export interface Data {
  runs?: string | Result[];
  local?: string | Result[];
  noise?: string | NoiseFile[];
  /** The text of a file of claims; the site's own where it is absent. */
  claims?: string;
}

/** What was captured of real and of damaged runs, hostile strings in it. */
export const captured = {
  runs: join(root, "bench", "testing", "captured", "runs"),
  local: join(root, "bench", "testing", "captured", "local"),
} satisfies Data;

/** The run of {@linkcode example} in the default scenario. */
export const exampleRunId = "20260105T000000Z-0000005";

/** Its run of `hello`. */
export const helloRunId = "20260104T000000Z-0000004";

/** A made-up run that has every part, one of `hello`, and a measurement of noise: what most tests look at. */
export const example = {
  runs: [...exampleRun(exampleRunId), ...exampleHelloRun(helloRunId)],
  noise: [exampleNoise("20260106T000000Z-0000006")],
} satisfies Data;

/** What the site is published from. */
export const published = {
  runs: join(root, "site", "data", "runs"),
  noise: join(root, "site", "data", "noise"),
} satisfies Data;

/**
 * Returns a site that is built as the published one is, but from other data. A site is built once for all tests that
 * ask for the same: it is kept in the cache folder by what it is made from, until an hour after its last use.
 */
export async function siteOf(data: Data = {}): Promise<Site> {
  const cache = join(cacheFolder(Deno.env.toObject()), "test-sites");
  await Deno.mkdir(cache, { recursive: true });
  const staging = await Deno.makeTempDir({ dir: cache, prefix: "staging-" });
  try {
    await writeData(data, join(staging, "data"));
    const key = await digest([
      ...await sourceDigests(),
      await digestFolder(join(staging, "data")),
    ]);
    const kept = await keepFolder(cache, key, async () => {
      await build(staging, data.claims === undefined);
      return staging;
    });
    return openSite(join(kept, "public"));
  } finally {
    await Deno.remove(staging, { recursive: true }).catch(() => {});
    await removeUnused(cache, keptMs);
  }
}

function openSite(folder: string): Site {
  const pages = new Map<string, HTMLElement>();
  let paths: string[] | undefined;
  return {
    folder,
    files: async (end) => {
      paths ??= await listFiles(folder);
      return paths.filter((path) => path.endsWith(end));
    },
    page: async (path) => {
      const page = pages.get(path) ?? parse(await Deno.readTextFile(join(folder, path)));
      pages.set(path, page);
      return page;
    },
  };
}

async function writeData({ runs = [], local = [], noise = [], claims }: Data, folder: string) {
  const write = async (path: string, text: string) => {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  };
  for (const [name, results] of Object.entries({ runs, local, noise })) {
    await Deno.mkdir(join(folder, name), { recursive: true });
    if (typeof results === "string") await copyFolder(results, join(folder, name));
  }
  for (const [name, results] of Object.entries({ runs, local })) {
    if (typeof results === "string") continue;
    for (const result of results) {
      await write(join(name, result.runId, fileNameOf(result)), JSON.stringify(result));
    }
  }
  if (typeof noise !== "string") {
    for (const file of noise) await write(join("noise", `${file.id}.json`), JSON.stringify(file));
  }
  if (claims !== undefined) await write("claims.toml", claims);
}

async function copyFolder(from: string, to: string): Promise<void> {
  for (const path of await listFiles(from)) {
    await copyWithFolders(join(from, path), join(to, path));
  }
}

/** Builds from `data/` into `public/` of the same folder. */
async function build(folder: string, hasOwnClaims: boolean): Promise<void> {
  const [runs, local, noise, derived] = ["data/runs", "data/local", "data/noise", "derived"]
    .map((name) => join(folder, name)) as [string, string, string, string];
  const claims = hasOwnClaims ? join(root, "site", "data") : join(folder, "data");
  await deriveSite({
    ...{ publishedRuns: runs, localRuns: local, noiseFolder: noise, target: derived },
    claimsPath: join(claims, "claims.toml"),
    workflowPath: join(root, ".github", "workflows", "bench.yml"),
  });
  const config = join(folder, "runs.toml");
  await Deno.writeTextFile(config, siteMounts({ runs, local, noise, derived }));
  const signal = new AbortController().signal;
  const hugo = await ensureHugo({ report: silent, signal });
  const logPath = join(folder, "hugo.log");
  const { code } = await runProcess([
    hugo.path,
    ...["--source", join(root, "site"), "--config", `hugo.toml,${config}`],
    ...["--destination", join(folder, "public"), "--baseURL", `https://example.org${basePath}`],
    ...["--panicOnWarning", "--noBuildLock"],
  ], { logPath, signal, env: { ...hugoEnvironment, HUGO_PARAMS_REPOSITORY: repository } });
  assertEquals(code, 0, await logTail(logPath));
}

/** What every site is made from: its own files, and the rooms of the harness that may derive what it shows. */
const sources = [
  ...["site", "results", "statistics", "scenario", "lib"].map((name) => `bench/${name}`),
  ...["layouts", "assets", "content", "static", "data/claims.toml", "hugo.toml"]
    .map((name) => `site/${name}`),
  ".github/workflows/bench.yml",
];

let digests: Promise<string[]> | undefined;
/** Digests of the sources, which no test changes. */
function sourceDigests(): Promise<string[]> {
  return digests ??= Promise.all(sources.map((path) => digestFolder(join(root, path))));
}

async function digestFolder(path: string): Promise<string> {
  const { isFile } = await Deno.stat(path);
  const paths = isFile ? [""] : (await listFiles(path)).sort();
  return await digest(
    (await Promise.all(
      paths.map(async (name) => [name, await Deno.readTextFile(join(path, name))]),
    ))
      .flat(),
  );
}

/** Returns the paths of all files below a folder. */
export async function listFiles(folder: string, prefix = ""): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(folder, prefix))) {
    const path = join(prefix, name);
    paths.push(...isDirectory ? await listFiles(folder, path) : [path]);
  }
  return paths;
}

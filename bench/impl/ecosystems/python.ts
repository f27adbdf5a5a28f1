/**
 * Python, with uv, which is fetched from PyPI if it is not on PATH. Interpreters are not downloaded: the newest one
 * in the range is used, among those that uv finds on PATH, in pyenv's folder, and in the tool cache of GitHub's images.
 */
import { dirname, join } from "@std/path";
import { parse, type Range, satisfies } from "@std/semver";
import { parse as parseToml } from "@std/toml";
import { z } from "zod";
import type { Ecosystem, Found, Surroundings } from "../ecosystem.ts";
import { cacheFolder, keepFolder } from "../../lib/cache.ts";
import { findProgram } from "../../lib/find_program.ts";
import { outputOf } from "../../lib/output_of.ts";
import { runOrThrow } from "../../lib/process.ts";

const uvVersion = "0.13.9";
const ruff = ["uv", "tool", "run", "--quiet", "ruff@0.17.6"];

const interpretersSchema = z.array(
  z.object({
    version: z.string(),
    path: z.string(),
    implementation: z.string(),
    variant: z.string(),
  }),
);
const lockSchema = z.object({
  package: z.array(z.object({ name: z.string(), version: z.string() })),
});

const ownName = (id: string) => new RegExp(`^(name = ")${id}(")$`, "gm");

export const ecosystem: Ecosystem = {
  find: findPython,
  install:
    "Install Python of that version with pip (https://www.python.org, or the package of your system); " +
    "uv comes by itself",
  keptForBuild: ["UV_CACHE_DIR"],
  lockFile: {
    name: "uv.lock",
    read: (text) =>
      new Map(
        lockSchema.parse(parseToml(text)).package.map(({ name, version }) => [name, version]),
      ),
  },
  checks: [[...ruff, "format", "--check"], [...ruff, "check"]],
  repairs: [[...ruff, "format"], [...ruff, "check", "--fix"]],
  ownNames: { "pyproject.toml": ownName, "uv.lock": ownName },
  dependabot: "uv",
};

async function findPython(range: Range, { folder, env }: Surroundings): Promise<Found> {
  const uv = await findUv(env);
  if (uv === undefined) return { version: undefined, whatIs: "it was not found" };
  const list = ["python", "list", "--only-installed", "--no-config", "--output-format", "json"];
  const { stdout, stderr } = await outputOf([uv, ...list], {
    cwd: folder,
    env: {
      ...env,
      PATH: [env.PATH, ...await installedBesidePath(Deno.env.toObject())].filter((it) => it).join(
        ":",
      ),
    },
    clearEnv: true,
  });
  const [text, said] = [stdout, stderr].map((printed) => printed.trim());
  if (!text) return { version: undefined, whatIs: "`uv python list` names no version", said };
  const usable = interpretersSchema.parse(JSON.parse(text)).filter(
    ({ version, implementation, variant }) =>
      implementation === "cpython" && variant === "default" && /^\d+\.\d+\.\d+$/.test(version),
  );
  const found = usable.find(({ version }) => satisfies(parse(version), range));
  if (found === undefined) {
    const versions = [...new Set(usable.map(({ version }) => version))];
    const whatIs = versions.length === 0 ? "it was not found" : `there is ${versions.join(", ")}`;
    return { version: undefined, whatIs };
  }
  return {
    version: found.version,
    path: [dirname(uv)],
    variables: { UV_PYTHON: found.path, UV_PYTHON_DOWNLOADS: "never" },
  };
}

/** Returns the folders of interpreters that are installed, but not on PATH. */
export async function installedBesidePath(
  { HOME = "", PYENV_ROOT = join(HOME, ".pyenv"), RUNNER_TOOL_CACHE = "" }: Record<string, string>,
): Promise<string[]> {
  const ofPyenv = await entriesOf(join(PYENV_ROOT, "versions"));
  // On GitHub's images: Python/<version>/<architecture>.
  const releases = RUNNER_TOOL_CACHE ? await entriesOf(join(RUNNER_TOOL_CACHE, "Python")) : [];
  const ofImage = await Promise.all(releases.map(entriesOf));
  return [...ofPyenv, ...ofImage.flat()].map((folder) => join(folder, "bin"));
}

/** Returns the paths of what a folder has; none where it cannot be read. */
async function entriesOf(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

/** Returns the path of uv: on PATH, or in the cache; undefined where there is no Python to fetch it with. */
async function findUv(env: Record<string, string>): Promise<string | undefined> {
  const installed = await findProgram("uv", env);
  if (installed !== undefined) return installed;
  if (await findProgram("python3", env) === undefined) return undefined;
  const cache = cacheFolder(Deno.env.toObject());
  const folder = await keepFolder(cache, `uv-${uvVersion}`, async (staging) => {
    const [target, logPath] = [join(staging, "uv"), join(staging, "uv.log")];
    const pip = ["python3", "-m", "pip", "install", "--quiet", "--target", target];
    await runOrThrow(`Cannot fetch "uv ${uvVersion}"`, [...pip, `uv==${uvVersion}`], { logPath });
    return target;
  });
  return join(folder, "bin", "uv");
}

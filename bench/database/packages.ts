/**
 * MySQL from the distribution's packages, without root and without installing: apt with its own state and an empty
 * status file downloads the server with its dependencies, and each package is unpacked into one folder of the cache.
 * The server runs through the unpacked loader with the unpacked libraries, so that a release other than the machine's
 * works, too. apt checks signatures as usual.
 */
import { join } from "@std/path";
import { cacheFolder, inStaging } from "../lib/cache.ts";
import { exists } from "../lib/exists.ts";
import { createApt } from "./apt.ts";
import type { Database, OpenDatabaseOptions, ProviderStatus } from "./database.ts";
import { readProgram } from "./mysqld.ts";
import { openPrivate } from "./private_server.ts";
import type { MysqldProgram } from "./start_server.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import { findProgram } from "../lib/find_program.ts";

/** Tells whether the packages are unpacked, or can be fetched. */
export async function findPackages(
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<ProviderStatus> {
  const provider = "packages";
  const root = await findUnpacked(cacheFolder(env));
  if (root !== undefined) {
    try {
      const { version } = await unpackedProgram(root, signal);
      return { provider, available: true, detail: `MySQL ${version}, ${root}` };
    } catch (error) {
      signal.throwIfAborted();
      const help = `Remove ${root}`;
      return { provider, available: false, detail: messageOf(error), help };
    }
  }
  for (const name of ["apt-get", "apt-cache", "dpkg-deb"]) {
    if (await findProgram(name, env) !== undefined) continue;
    const detail = `${name} is not on PATH, expected a Debian or Ubuntu`;
    return { provider, available: false, detail };
  }
  return { provider, available: true, detail: "not fetched yet: about 60 MB, without root" };
}

/** Starts a private server from the unpacked packages; fetches them the first time. */
export async function openPackages(options: Required<OpenDatabaseOptions>): Promise<Database> {
  const root = await keepPackages(options);
  return await openPrivate("packages", await unpackedProgram(root, options.signal), options);
}

/** Returns the folder of the unpacked packages; fetches them the first time. */
export async function keepPackages(
  { env, report, signal }: Pick<Required<OpenDatabaseOptions>, "env" | "report" | "signal">,
): Promise<string> {
  const cache = cacheFolder(env);
  const make = async (staging: string) =>
    // Another process may have fetched them meanwhile.
    await findUnpacked(cache) ?? await fetchPackages(cache, staging, { report, signal });
  return await findUnpacked(cache) ??
    await inStaging(cache, "mysql-packages", make, { report, signal });
}

const folderPrefix = "mysql-packages-";

/** Returns the newest unpacked folder. It stays until it is removed, so that no update changes results. */
export async function findUnpacked(cache: string): Promise<string | undefined> {
  if (!await exists(cache)) return undefined;
  const names = (await Array.fromAsync(Deno.readDir(cache))).map((entry) => entry.name);
  const newest = names.filter((name) => name.startsWith(folderPrefix)).sort((a, b) =>
    a.localeCompare(b, "en", { numeric: true })
  ).at(-1);
  return newest === undefined ? undefined : join(cache, newest);
}

async function fetchPackages(
  cache: string,
  staging: string,
  { report, signal }: Pick<OpenDatabaseOptions, "report" | "signal">,
): Promise<string> {
  const apt = createApt(staging, signal);
  const name = await apt.chooseServer((suite) =>
    report.line(`Looking for MySQL's server among the packages of "${suite}"`)
  );
  report.line(`Fetching ${name} and what it needs`);
  await apt.run("apt-get", ["--yes", "--download-only", "install", name]);
  const archives = join(staging, "cache/archives");
  const packages = (await Array.fromAsync(Deno.readDir(archives)))
    .map((entry) => entry.name).filter((file) => file.endsWith(".deb")).sort();
  const version = decodeURIComponent(
    packages.find((file) => file.startsWith(`${name}_`))?.split("_")[1] ?? "",
  );
  report.line(`Unpacking MySQL ${version}`);
  const root = join(staging, "root");
  for (const file of packages) {
    await apt.run("dpkg-deb", ["--extract", join(archives, file), root]);
  }
  await Deno.writeTextFile(join(root, "packages.txt"), packages.join("\n") + "\n");
  await unpackedProgram(root, signal);
  const kept = join(cache, `${folderPrefix}${version}`);
  await Deno.rename(root, kept);
  return kept;
}

/** Returns the command of the unpacked server. */
export async function unpackedProgram(root: string, signal: AbortSignal): Promise<MysqldProgram> {
  const libraries: string[] = [];
  let loader: string | undefined;
  for (const folder of ["usr/lib", "lib"]) {
    if (!await exists(join(root, folder))) continue;
    for await (const { name, isDirectory } of Deno.readDir(join(root, folder))) {
      if (!isDirectory || !name.endsWith("-linux-gnu")) continue;
      const path = join(root, folder, name);
      libraries.push(path);
      for await (const file of Deno.readDir(path)) {
        if (/^ld-linux.*\.so\.\d$/.test(file.name)) loader = join(path, file.name);
      }
    }
  }
  if (loader === undefined) {
    throw new BenchError(`Cannot use "${root}": it has no loader, expected ld-linux*.so`, {
      help: `Remove ${root}`,
    });
  }
  return await readProgram([
    loader,
    "--library-path",
    libraries.join(":"),
    join(root, "usr/sbin/mysqld"),
    "--no-defaults",
    // Without these, the program would look in folders that were fixed at compile time.
    `--basedir=${root}/usr`,
    `--plugin-dir=${root}/usr/lib/mysql/plugin`,
    `--character-sets-dir=${root}/usr/share/mysql/charsets`,
    `--lc-messages-dir=${root}/usr/share/mysql`,
    "--secure-file-priv=NULL",
  ], signal);
}

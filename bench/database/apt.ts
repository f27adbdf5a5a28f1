import { join } from "@std/path";
import { exists } from "../lib/exists.ts";
import { BenchError } from "../lib/error.ts";
import { outputOf } from "../lib/output_of.ts";
import { runOrThrow } from "../lib/process.ts";

/** apt with its own state folder: needs no root, and leaves the machine's packages alone. */
export interface Apt {
  /** Selects the release that has MySQL's server, and returns the name of the package. */
  chooseServer(onSuite: (suite: string) => void): Promise<string>;
  /** Runs a program of apt or dpkg in this state. */
  run(program: string, args: string[]): Promise<void>;
}

/** Creates a private apt in `folder`, which must exist. */
export function createApt(folder: string, signal: AbortSignal): Apt {
  const configPath = join(folder, "apt.conf");
  const logPath = join(folder, "apt.log");
  const env = { LC_ALL: "C.UTF-8" };

  const run: Apt["run"] = async (program, args) => {
    const config = program.startsWith("apt-") ? ["--config-file", configPath] : [];
    const command = [program, ...config, ...args];
    await runOrThrow(`Cannot run ${program}`, command, { logPath, env, signal });
  };

  const search = async (): Promise<string[]> => {
    const command = ["apt-cache", "--config-file", configPath, "--names-only", "search"];
    const { stdout } = await outputOf([...command, "^mysql-server-core"], { env, signal });
    return stdout.split("\n").map((line) => line.split(" ")[0] ?? "");
  };

  return {
    run,
    chooseServer: async (onSuite) => {
      const { mirror, suites, keyring } = await readDistribution(signal);
      await Deno.writeTextFile(configPath, privateConfig(folder));
      for (const path of ["state/lists/partial", "cache/archives/partial", "sources"]) {
        await Deno.mkdir(join(folder, path), { recursive: true });
      }
      await Deno.writeTextFile(join(folder, "status"), "");
      for (const suite of suites) {
        onSuite(suite);
        const source = [
          "Types: deb",
          `URIs: ${mirror}`,
          `Suites: ${suite}`,
          "Components: main",
          "Targets: Packages",
          ...(keyring === undefined ? [] : [`Signed-By: ${keyring}`]),
        ];
        await Deno.writeTextFile(join(folder, "sources/mysql.sources"), source.join("\n") + "\n");
        await run("apt-get", ["update", "--error-on=any"]);
        const [name] = newestFirst(await search());
        if (name !== undefined) return name;
      }
      throw new BenchError(
        `Cannot fetch MySQL from "${mirror}": no package there, expected mysql-server-core in ${
          suites.join(" or ")
        }`,
      );
    },
  };
}

/** The package without a version in its name is the distribution's current one. */
export function newestFirst(names: string[]): string[] {
  return names.filter((name) => /^mysql-server-core(-[\d.]+)?$/.test(name)).sort((a, b) => {
    if (a === "mysql-server-core") return -1;
    if (b === "mysql-server-core") return 1;
    return b.localeCompare(a, "en", { numeric: true });
  });
}

function privateConfig(folder: string): string {
  return `Dir::State "${folder}/state";
Dir::State::status "${folder}/status";
Dir::Cache "${folder}/cache";
Dir::Log "${folder}";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "${folder}/sources";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
APT::Default-Release "";
APT::Install-Recommends "false";
// As root, apt would download as another user, who cannot read root's cache.
APT::Sandbox::User "root";
// The machine's hooks for updates and installations concern its own packages.
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
#clear DPkg::Pre-Install-Pkgs;
`;
}

interface Distribution {
  mirror: string;
  suites: string[];
  keyring?: string;
}

/** Reads where the machine's own packages come from. */
async function readDistribution(signal: AbortSignal): Promise<Distribution> {
  const release = await Deno.readTextFile("/etc/os-release");
  const read = (key: string) => new RegExp(`^${key}="?([^"\n]*)`, "m").exec(release)?.[1] ?? "";
  const id = read("ID");
  const codename = read("VERSION_CODENAME");
  const command = ["apt-get", "indextargets", "--format", targetFormat];
  const { stdout } = await outputOf(command, { signal });
  const own = chooseTarget(stdout, { id, codename });
  if (own === undefined) {
    throw new BenchError(
      `Cannot fetch MySQL's packages: apt has no source for "${id} ${codename}", expected one with the component main`,
    );
  }
  const { mirror, suite } = own;
  const keyring = `/usr/share/keyrings/${id}-archive-keyring.gpg`;
  return {
    mirror,
    // Debian's stable releases have MariaDB only.
    suites: [...new Set(id === "debian" ? [suite, "sid"] : [suite])],
    ...(await exists(keyring) ? { keyring } : {}),
  };
}

/** What is asked of each target. Keys can have several lines, so they are last; what a target lacks stays as it is. */
const targetFormat = "$(CREATED_BY)|$(COMPONENT)|$(RELEASE)|$(ORIGIN)|$(REPO_URI)|$(SIGNED_BY)";

/**
 * Chooses the distribution's own packages among the targets of apt, one a line. Others name their suite like the
 * release, too (Microsoft's on GitHub's image), so the suite decides last: the origin tells, which is known once lists
 * were fetched; without it, the key that signs.
 */
export function chooseTarget(
  targets: string,
  { id, codename }: { id: string; codename: string },
): { mirror: string; suite: string } | undefined {
  const found = targets.split("\n").flatMap((line) => {
    const [by, component, suite = "", origin = "", mirror = "", key = ""] = line.split("|")
      .map((word) => word.startsWith("$(") ? "" : word);
    if (by !== "Packages" || component !== "main" || mirror === "") return [];
    const isRelease = suite === codename;
    const rank = origin.toLowerCase() === id
      ? 3
      : origin !== "" || !isRelease
      ? 0
      : key.includes(`${id}-archive-keyring`)
      ? 2
      : 1;
    return rank === 0 ? [] : [{ mirror, suite, rank: 2 * rank + (isRelease ? 1 : 0) }];
  });
  const best = Math.max(...found.map(({ rank }) => rank));
  const chosen = found.find(({ rank }) => rank === best);
  return chosen && { mirror: chosen.mirror, suite: chosen.suite };
}

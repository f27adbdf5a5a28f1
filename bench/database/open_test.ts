import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import type { Database } from "./database.ts";
import { fetchDatabase, inspectProviders, openDatabase } from "./open.ts";
import { BenchError } from "../lib/error.ts";
import { silent } from "../lib/report.ts";
import { allData } from "../scenario/list.ts";
import { fetchPackagesElsewhere } from "../testing/fetching_packages.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { writeProgram } from "../testing/write_program.ts";

const sql = await allData();

const { signal } = new AbortController();

Deno.test("openDatabase() names every provider it tried", async () => {
  await using folder = await temporaryFolder();
  await writeProgram(
    join(folder.path, "mysqld"),
    '#!/bin/sh\n[ "$2" = --version ] && echo "mysqld Ver 8.4.0" && exit\necho "No luck today"; exit 3\n',
  );
  const env = { PATH: folder.path, HOME: folder.path };
  const error = await assertRejects(
    () => openDatabase({ report: silent, signal, sql, grants: [], folder: folder.path, env }),
    BenchError,
    "Cannot open a database: no provider works, expected one of " +
      "DATABASE_URL, mysqld, packages, docker, podman",
  );
  assertEquals(
    error.help?.replace(/`.*`/, "`…`").replace(/staging-.*\//, "…/"),
    `DATABASE_URL: it is not set. For a server of your own: DATABASE_URL=mysql://user:password@host:3306/name
mysqld: Cannot initialise MySQL: \`…\` ended with exit code 3, expected 0
The end of ${folder.path}/.cache/backbench/…/mysqld.log:
No luck today
packages: apt-get is not on PATH, expected a Debian or Ubuntu
docker: docker is not on PATH. Install Docker
podman: podman is not on PATH. Install Podman`,
  );
  // Nothing half-made is left in the cache.
  assertEquals([...Deno.readDirSync(join(folder.path, ".cache/backbench"))], []);
});

Deno.test("openDatabase() tries only the provider that BACKBENCH_DATABASE names", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const open = (name: string): Promise<Database> => {
    const env = { PATH: path, HOME: path, BACKBENCH_DATABASE: name };
    return openDatabase({ report: silent, signal, sql, grants: [], folder: path, env });
  };
  const error = await assertRejects(() => open("docker"), BenchError, "no provider works");
  assertEquals(error.help?.split("\n").map((line: string) => line.split(":")[0]), [
    "DATABASE_URL",
    "docker",
  ]);
  await assertRejects(
    () => open("MySQL"),
    BenchError,
    'Cannot use "BACKBENCH_DATABASE": it is "MySQL", expected one of mysqld, packages, docker, podman',
  );
});

Deno.test("fetchDatabase() fetches the packages only where they would be used", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  for (const name of ["apt-get", "apt-cache", "dpkg-deb"]) {
    await writeProgram(join(path, name), "#!/bin/sh\n");
  }
  const cache = join(path, "cache");
  const { report, lines, ended } = await fetchPackagesElsewhere(cache);
  const fetchFor = async (chosen: Record<string, string>) => {
    const env = { PATH: path, BACKBENCH_CACHE: cache, ...chosen };
    await fetchDatabase({ report, signal, env });
  };
  await fetchFor({ BACKBENCH_DATABASE: "docker" });
  await fetchFor({ DATABASE_URL: "mysql://user@127.0.0.1:3306/name" });
  assertEquals(lines, []);
  await fetchFor({});
  await ended;
  assertEquals(lines, ["Waiting for another process, which is making mysql-packages"]);
});

Deno.test("inspectProviders() refuses a mysqld that is MariaDB, and one that is too old", async () => {
  for (
    const [said, detail] of [
      ["mysqld  Ver 10.11.6-MariaDB for debian", "it is MariaDB 10.11.6-MariaDB, expected MySQL"],
      ["mysqld  Ver 5.7.44 for Linux", "its version is too old, expected MySQL 8.0 or later"],
    ] as const
  ) {
    await using folder = await temporaryFolder();
    await writeProgram(join(folder.path, "mysqld"), `#!/bin/sh\necho "${said}"\n`);
    const statuses = await inspectProviders({
      signal,
      env: { PATH: folder.path, HOME: folder.path },
    });
    const status = statuses.find(({ provider }) => provider === "mysqld");
    assertEquals(status?.available, false);
    assertStringIncludes(status?.detail ?? "", detail);
  }
});

Deno.test("inspectProviders() looks at DATABASE_URL alone, because no other is tried then", async () => {
  const statuses = await inspectProviders({
    signal,
    env: { PATH: "/nowhere", DATABASE_URL: "mysql://user@127.0.0.1:1/name" },
  });
  assertEquals(statuses.map(({ provider, available }) => [provider, available]), [
    ["DATABASE_URL", false],
  ]);
});

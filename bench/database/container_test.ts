import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import { holdLock } from "../lib/lock.ts";
import { silent } from "../lib/report.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { image, openContainer, runArguments } from "./container.ts";
import { startOptions } from "./settings.ts";
import { writeProgram } from "../testing/write_program.ts";

Deno.test("runArguments() listens on 127.0.0.1 only, and shows no password", () => {
  const place = { container: "backbench-1", port: 3307, cache: "/cache" };
  const common = ["run", "--detach", "--name", "backbench-1", "--label", "backbench.cache=/cache"];
  const variables = ["--env", "MYSQL_ROOT_PASSWORD", "--env", "MYSQL_DATABASE", image];
  assertEquals(runArguments({ ...place, isOnHost: false }), [
    ...common,
    "--publish",
    "127.0.0.1:3307:3306",
    ...variables,
    ...startOptions,
  ]);
  assertEquals(runArguments({ ...place, isOnHost: true }), [
    ...common,
    "--network",
    "host",
    ...variables,
    ...startOptions,
    "--port=3307",
    "--bind-address=127.0.0.1",
  ]);
});

Deno.test("openContainer() removes containers whose harness was killed, and its own where it fails", async () => {
  await using folder = await temporaryFolder();
  const [bin, cache] = ["bin", "cache"].map((name) => join(folder.path, name));
  await Deno.mkdir(bin!);
  const script = [
    "#!/bin/sh",
    'echo "$*" >>"${0%/*}/said"',
    "case $1 in",
    "ps) printf 'backbench-dead\\nbackbench-alive\\n' ;;",
    "run) echo 'no space left' >&2; exit 125 ;;",
    "esac",
  ];
  await writeProgram(join(bin!, "docker"), `${script.join("\n")}\n`);
  const { signal } = new AbortController();
  const env = { PATH: bin!, BACKBENCH_CACHE: cache! };
  const options = { report: silent, signal, sql: "", grants: [], folder: folder.path, env };
  {
    // As another harness does it; of one that was killed, the file may be left, and nobody holds the lock.
    await using _alive = await holdLock(join(cache!, "backbench-alive.lock"));
    await Deno.writeTextFile(join(cache!, "backbench-dead.lock"), "");
    await assertRejects(
      () => openContainer("docker", options),
      BenchError,
      'Cannot run "docker run": no space left',
    );
  }
  const said = (await Deno.readTextFile(join(bin!, "said"))).trim().split("\n");
  const ran = said.find((line) => line.startsWith("run")) ?? "";
  const own = /--name (\S+)/.exec(ran)?.[1] ?? "";
  assertMatch(own, /^backbench-[0-9a-f]{12}$/);
  assertEquals(ran.includes("--network host"), Deno.build.os === "linux");
  assertEquals(said.filter((line) => !/^(run|info)/.test(line)), [
    `ps --all --filter label=backbench.cache=${cache} --format {{.Names}}`,
    "rm --force --volumes backbench-dead",
    `rm --force --volumes ${own}`,
  ]);
  // No lock is left, either.
  assertEquals([...Deno.readDirSync(cache!)], []);
});

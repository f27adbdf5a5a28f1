import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import { holdLock } from "../lib/lock.ts";
import { silent } from "../lib/report.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import {
  canUseHost,
  fetchImage,
  image,
  openContainer,
  type Run,
  runArguments,
} from "./container.ts";
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

Deno.test("canUseHost() refuses where the engine's network is not this machine's", async () => {
  const { signal } = new AbortController();
  const own = Deno.hostname();
  const isLinux = Deno.build.os === "linux";
  const cases: [string, boolean][] = [
    [`${own}|Ubuntu 24.04.3 LTS|[name=apparmor name=seccomp,profile=builtin name=cgroupns]`, true],
    [`${own}|Fedora Linux 43 (KDE Plasma Desktop Edition)|[name=seccomp]`, true],
    ["docker-desktop|Docker Desktop|[name=seccomp]", false],
    [`${own}|Docker Desktop|[name=seccomp]`, false],
    [`${own}|Ubuntu 24.04.3 LTS|[name=seccomp name=rootless]`, false],
    [`${own}|Ubuntu 24.04.3 LTS|[name=seccomp name=userns]`, false],
    ["colima|Ubuntu 24.04.3 LTS|[name=seccomp]", false],
  ];
  for (const [info, expected] of cases) {
    const can = await canUseHost("docker", () => Promise.resolve(info), signal);
    assertEquals(can, expected && isLinux, info);
  }
  const fails: Run = () => Promise.reject(new BenchError("no such field"));
  assertEquals(await canUseHost("docker", fails, signal), false);
  assertEquals(await canUseHost("podman", fails, signal), isLinux);
});

Deno.test("openContainer() removes containers whose harness was killed, and its own where it fails", async () => {
  await using folder = await temporaryFolder();
  const [bin, cache] = ["bin", "cache"].map((name) => join(folder.path, name));
  await Deno.mkdir(bin!);
  await writeDocker(bin!, [
    "ps) printf 'backbench-dead\\nbackbench-alive\\n' ;;",
    "run) echo 'no space left' >&2; exit 125 ;;",
  ]);
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
  const own = /--name (\S+)/.exec(said.find((line) => line.startsWith("run")) ?? "")?.[1] ?? "";
  assertMatch(own, /^backbench-[0-9a-f]{12}$/);
  assertEquals(said.filter((line) => !/^(run|info|image)/.test(line)), [
    `ps --all --filter label=backbench.cache=${cache} --format {{.Names}}`,
    "rm --force --volumes backbench-dead",
    `rm --force --volumes ${own}`,
  ]);
  // No lock is left, either.
  assertEquals([...Deno.readDirSync(cache!)], []);
});

Deno.test("openContainer() fetches the image, tells what a server said that ended, and takes another port where one was taken", async () => {
  await using folder = await temporaryFolder();
  const bin = join(folder.path, "bin");
  await Deno.mkdir(bin);
  await writeDocker(bin, [
    "image) exit 1 ;;",
    "inspect) echo false ;;",
    'logs) echo run >>"${0%/*}/runs"',
    '  [ "$(wc -l <"${0%/*}/runs")" -lt 2 ] && echo "Bind on TCP/IP port: Address already in use" >&2',
    '  echo "mysqld: unknown option" >&2 ;;',
  ]);
  const { signal } = new AbortController();
  const env = {
    PATH: `${bin}:${Deno.env.get("PATH")}`,
    BACKBENCH_CACHE: join(folder.path, "cache"),
  };
  const options = { report: silent, signal, sql: "", grants: [], folder: folder.path, env };
  const error = await assertRejects(
    () => openContainer("docker", options),
    BenchError,
    "Cannot start MySQL: its container ended, expected it to answer",
  );
  assertEquals(error.help, "mysqld: unknown option");
  const said = (await Deno.readTextFile(join(bin, "said"))).trim().split("\n");
  assertEquals(said.map((line) => line.split(" ")[0]), [
    ...["ps", "image", "pull", "info"],
    ...["run", "inspect", "logs", "rm", "run", "inspect", "logs", "rm"],
  ]);
  const ports = said.flatMap((line) =>
    /--p(?:ort=|ublish 127\.0\.0\.1:)(\d+)/.exec(line)?.[1] ?? []
  );
  assertEquals([ports.length, new Set(ports).size], [2, 2]);
});

/** Returns an engine without the image that fails to fetch it, and how often it was asked to. */
function failingEngine(failures: number) {
  const asked = { pulls: 0 };
  const run: Run = ([command]) => {
    if (command === "pull" && ++asked.pulls > failures) return Promise.resolve("");
    return Promise.reject(new BenchError("toomanyrequests"));
  };
  return { asked, run };
}

Deno.test("fetchImage() asks a registry three times, with pauses", async () => {
  const { signal } = new AbortController();
  const lines: string[] = [];
  const report = { ...silent, line: (text: string) => void lines.push(text) };
  const later = failingEngine(2);
  await fetchImage(later.run, { report, signal, pauses: [0, 0] });
  assertEquals(lines, Array(2).fill("toomanyrequests; trying again in 0 s"));
  assertEquals(later.asked.pulls, 3);
  const never = failingEngine(3);
  await assertRejects(
    () => fetchImage(never.run, { report, signal, pauses: [0, 0] }),
    BenchError,
    "toomanyrequests",
  );
  assertEquals(never.asked.pulls, 3);
});

Deno.test("fetchImage() ends its pause when it is interrupted", async () => {
  const { asked, run } = failingEngine(1);
  const options = { report: silent, signal: AbortSignal.timeout(20) };
  await assertRejects(() => fetchImage(run, options), DOMException);
  assertEquals(asked.pulls, 1);
});

/** Writes a program in place of Docker, which notes what it is asked, and answers by the cases of a shell's script. */
async function writeDocker(folder: string, cases: string[]): Promise<void> {
  const script = ["#!/bin/sh", 'echo "$*" >>"${0%/*}/said"', "case $1 in", ...cases, "esac"];
  await writeProgram(join(folder, "docker"), `${script.join("\n")}\n`);
}

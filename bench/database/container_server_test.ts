/** A server in a container, with a program in place of Docker that runs the unpacked mysqld as a container would. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { RunBroken } from "../lib/error.ts";
import { silent } from "../lib/report.ts";
import { packagesOnly } from "../testing/server.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { writeProgram } from "../testing/write_program.ts";
import { connectTo } from "./connection.ts";
import { image, openContainer } from "./container.ts";
import { sideNames } from "./database.ts";
import { keepPackages, unpackedProgram } from "./packages.ts";
import { runtimeSettings } from "./settings.ts";
import { initialise } from "./start_server.ts";

const { signal } = new AbortController();

/** Writes that program, whose server has its data in the folder, too; it notes what it is asked. */
async function writeDocker(folder: string): Promise<void> {
  const root = await keepPackages({ env: packagesOnly(), report: silent, signal });
  const program = await unpackedProgram(root, signal);
  await initialise(program, folder, signal);
  const [loader = "", ...args] = program.command;
  // A process has the name that its program is started by.
  await Deno.symlink(loader, join(folder, "mysqld"));
  const asRoot = Deno.uid() === 0 ? ["--user=root"] : [];
  const words = [...args, `--datadir=${folder}/data`, "--socket=", ...asRoot];
  const script = `#!/bin/sh
cd '${folder}' || exit
echo "$*" >>said
end() {
  kill -9 "$(cat pid)"
  while find "/proc/$(cat pid)/task" -path '*/fd/1' 2>/dev/null | grep -q .; do sleep 0.02; done
}
serve() { ./mysqld ${
    words.map((word) => `'${word}'`).join(" ")
  } "$@" >>log 2>&1 </dev/null & echo $! >pid; }
case $1 in
info) echo "$(uname -n)|Linux|[]" ;;
run)
  while [ "$1" != '${image}' ]; do shift; done
  shift
  echo "$@" >options
  cat >init.sql <<END
CREATE DATABASE $MYSQL_DATABASE;
CREATE USER root@'%' IDENTIFIED BY '$MYSQL_ROOT_PASSWORD';
GRANT ALL ON *.* TO root@'%' WITH GRANT OPTION;
END
  serve --init-file="$PWD/init.sql" "$@" ;;
start) serve $(cat options) ;;
inspect) case $3 in *Running*) echo true ;; *) cat pid ;; esac ;;
logs) tail -n 20 log ;;
kill | rm) end ;;
esac
`;
  await writeProgram(join(folder, "docker"), script);
}

Deno.test({
  name:
    "openContainer() starts a server with our data and accounts, stops it for an outage, and removes it",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await using folder = await temporaryFolder();
    await writeDocker(folder.path);
    const cache = join(folder.path, "cache");
    const env = { PATH: folder.path, BACKBENCH_CACHE: cache };
    const sql = "CREATE TABLE t AS SELECT 1 AS one;";
    const grants = [{ table: "t", rights: ["SELECT" as const] }];
    const options = { report: silent, signal, sql, grants, folder: folder.path, env };
    // One that has ended may still have its name.
    const isServing = async (pid: number | undefined) =>
      (await Deno.readTextFile(`/proc/${pid}/cmdline`).catch(() => "")).startsWith("./mysqld\0");
    let last: number | undefined;
    {
      await using database = await openContainer("docker", options);
      assertEquals([database.provider, database.engine], ["docker", "MySQL"]);
      assertEquals([database.accountsAreOurs, database.counting], [true, { per: "account" }]);
      const assertServes = async () => {
        assert(await isServing(database.pid));
        for (const side of sideNames) {
          await using connection = await connectTo(database.accounts[side]);
          const [rows] = await connection.query("SELECT one FROM t");
          assertEquals(JSON.stringify(rows), '[{"one":1}]');
          await assertRejects(() => connection.query("DROP TABLE t"), Error, "denied");
        }
        await using ours = await database.connect();
        for (const [name, value] of Object.entries(runtimeSettings)) {
          const [rows] = await ours.query(`SELECT @@GLOBAL.${name} AS value`);
          assertEquals(JSON.stringify(rows), `[{"value":${value}}]`, name);
        }
      };
      await assertServes();
      const first = database.pid;
      await database.outage!.stop();
      assertEquals([database.pid, await isServing(first)], [undefined, false]);
      await assertRejects(() => database.connect(), RunBroken, "expected the server to live");
      await database.outage!.start();
      await assertServes();
      last = database.pid;
      assert(last !== first);
    }
    assertEquals(await isServing(last), false);
    assertEquals([...Deno.readDirSync(cache)], []);
    const said = (await Deno.readTextFile(join(folder.path, "said"))).trim().split("\n");
    const words = said.map((line) => line.split(" ")[0]!).filter((word) => word !== "inspect");
    assertEquals(words, ["ps", "image", "info", "run", "kill", "start", "rm"]);
    const name = /--name (backbench-[0-9a-f]{12}) /.exec(
      said.find((line) => /^run/.test(line))!,
    )![1];
    assertEquals(said.at(-1), `rm --force --volumes ${name}`);
  },
});

import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { temporaryFolder } from "./temporary_folder.ts";
import { writeProgram } from "./write_program.ts";

Deno.test("bench/deno.sh fetches Deno once, and removes what a fetch that was killed left", async () => {
  await using folder = await temporaryFolder();
  const [bin, cache] = ["bin", "cache"].map((name) => join(folder.path, name));
  await Deno.mkdir(bin!);
  const npm = [
    "#!/bin/sh",
    'echo "$1" >>"${0%/*}/said"',
    'while [ "$1" != --prefix ]; do shift; done',
    'mkdir -p "$2/node_modules/.bin"',
    `printf '#!/bin/sh\\necho "deno $*"\\n' >"$2/node_modules/.bin/deno"`,
    'chmod +x "$2/node_modules/.bin/deno"',
  ];
  await writeProgram(join(bin!, "npm"), `${npm.join("\n")}\n`);
  // No process has so high an id; and one that is fetching has another's.
  const [dead, alive] = ["deno-staging.99999999", `deno-staging.${Deno.pid}`];
  for (const name of [dead, alive]) await Deno.mkdir(join(cache!, name), { recursive: true });
  const run = async () => {
    const command = new Deno.Command("/bin/sh", {
      args: [fromFileUrl(new URL("../deno.sh", import.meta.url)), "eval", "1"],
      env: { PATH: `${bin}:/usr/bin:/bin`, BACKBENCH_CACHE: cache! },
      stderr: "null",
    });
    return new TextDecoder().decode((await command.output()).stdout);
  };
  assertEquals([await run(), await run()], ["deno eval 1\n", "deno eval 1\n"]);
  assertEquals(await Deno.readTextFile(join(bin!, "said")), "install\n");
  const names = [...Deno.readDirSync(cache!)].map(({ name }) => name).sort();
  assertEquals([names.length, names.at(-1)], [2, alive]);
});

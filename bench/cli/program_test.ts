import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { scenarioFile, scenarioIds } from "../scenario/ids.ts";
import { z } from "zod";
import { silent } from "../lib/report.ts";
import { repositoryRoot } from "../lib/repository_root.ts";
import { foldersOf } from "./folders.ts";
import { makeProgram } from "./program.ts";

Deno.test("makeProgram() gives every command a recipe, a description, and a help that ends with examples of it", async () => {
  const justfile = await Deno.readTextFile(`${repositoryRoot}/justfile`);
  const recipes = [...justfile.matchAll(/^([a-z][a-z-]*)(?: [^:=]+)?:(?!=)/gm)]
    .map(([, name]) => name);
  const { signal } = new AbortController();
  const program = makeProgram({
    folders: foldersOf(),
    report: silent,
    signal,
    scratch: "",
    print: () => {},
  });
  for (const command of program.commands) {
    const name = command.name();
    assert(recipes.includes(name), `just ${name} is no recipe`);
    let help = "";
    command.configureOutput({ writeOut: (text) => help += text }).outputHelp();
    assertStringIncludes(help, `Usage: just ${name}`);
    assertEquals(command.description() === "", false, `${name} has no description`);
    const [, examples = ""] = help.split(/^Examples?:\n/m);
    const lines = examples.trimEnd().split("\n");
    assertEquals(
      lines.filter((line) => !line.startsWith(`  just ${name}`)),
      [],
      `${name} needs examples at the end of its help, each a command line of its own`,
    );
  }
});

Deno.test("the program loads no package that only tests use", async () => {
  const infoSchema = z.object({ modules: z.array(z.object({ specifier: z.string() })) });
  const names: (string | undefined)[] = [];
  // Deno does not see what is imported by a name that the program makes: a scenario.
  const scenarios = scenarioIds.map((id) => scenarioFile(id, "mod.ts").href);
  for (const file of ["bench/main.ts", ...scenarios]) {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", file],
      cwd: repositoryRoot,
    }).output();
    const { modules } = infoSchema.parse(JSON.parse(new TextDecoder().decode(stdout)));
    names.push(...modules.map(({ specifier }) => /^npm:\/(.+?)@\d/.exec(specifier)?.[1]));
  }
  assertEquals([...new Set(names)].filter((name) => name !== undefined).sort(), [
    "cli-progress",
    "cli-table3",
    "commander",
    "deno-std",
    "hdr-histogram-js",
    "mysql2",
    "zod",
  ]);
  // Without this, Deno fetches every package of the lock file, whatever is run.
  const settings = z.object({ unstable: z.array(z.string()) })
    .parse(JSON.parse(await Deno.readTextFile(`${repositoryRoot}/deno.json`)));
  assert(settings.unstable.includes("npm-lazy-caching"));
});

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { scenarioFile, scenarioIds } from "../scenario/ids.ts";
import { z } from "zod";
import { silent } from "../lib/report.ts";
import { repositoryRoot } from "../lib/repository_root.ts";
import { foldersOf } from "./folders.ts";
import { makeProgram } from "./program.ts";

function commandsOfProgram() {
  const { signal } = new AbortController();
  const program = makeProgram({
    folders: foldersOf(),
    report: silent,
    signal,
    scratch: "",
    print: () => {},
  });
  return program.commands;
}

Deno.test("makeProgram() gives every command a recipe, a description, and a help that ends with examples of it", async () => {
  const justfile = await Deno.readTextFile(`${repositoryRoot}/justfile`);
  const recipes = [...justfile.matchAll(/^([a-z][a-z-]*)(?: [^:=]+)?:(?!=)/gm)]
    .map(([, name]) => name);
  for (const command of commandsOfProgram()) {
    const name = command.name();
    assert(recipes.includes(name), `just ${name} is no recipe`);
    let help = "";
    command.configureOutput({ writeOut: (text) => help += text }).outputHelp();
    assertStringIncludes(help, `Usage: just ${name}`);
    assertEquals(command.description() === "", false, `${name} has no description`);
    assertStringIncludes(help, "\nExit codes: 0 done; 1 something failed or is invalid; 2 ");
    const [, examples = ""] = help.split(/^Examples?:\n/m);
    const lines = examples.trimEnd().split("\n");
    assertEquals(
      lines.filter((line) => !line.startsWith(`  just ${name}`)),
      [],
      `${name} needs examples at the end of its help, each a command line of its own`,
    );
  }
});

Deno.test("the help of bench says what counts are by default", () => {
  const bench = commandsOfProgram().find((command) => command.name() === "bench");
  const defaults = {
    "--requests": "(default: smoke 2,000, quick 50,000, full 500,000, or the scenario's)",
    "--replica": "(default: 1; with --resume, the only one)",
    "--attempt": "(default: 1)",
  };
  for (const [name, text] of Object.entries(defaults)) {
    const option = bench?.options.find(({ long }) => long === name);
    assertStringIncludes(option?.description ?? "", text);
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

import { assertEquals, assertStringIncludes } from "@std/assert";
import { stripAnsiCode } from "@std/fmt/colors";
import { join } from "@std/path";
import { repositoryRoot } from "../lib/repository_root.ts";
import { defaultScenarioId } from "../scenario/ids.ts";
import { readRun } from "../results/store.ts";
import { foldersOf } from "./folders.ts";
import { formatResult } from "./show_result.ts";

const readme = await Deno.readTextFile(join(repositoryRoot, "README.md"));

Deno.test("the demonstration in README.md is Deno's result of the published run that it links to", async () => {
  // Not of the newest: workflows publish runs, and write no documents.
  const [, runId] = /\(site\/data\/runs\/([^)]+)\)/.exec(readme)!;
  const results = await readRun(foldersOf().publishedRuns, runId!);
  const result = results.find(({ impl }) => impl.id === "deno")!;
  assertEquals([result.scenario, result.status], [defaultScenarioId, "complete"]);
  const shown = stripAnsiCode(formatResult(result));
  assertStringIncludes(readme, `\n$ npx rust-just bench deno\n…\n${shown}\n`);
});

Deno.test("README.md has fewer than 100 lines, and every recipe that it names", async () => {
  assertEquals(readme.trimEnd().split("\n").length < 100, true);
  const justfile = await Deno.readTextFile(join(repositoryRoot, "justfile"));
  const recipes = [...justfile.matchAll(/^([a-z][a-z-]*)[^=\n]*:(?!=)/gm)].map(([, name]) => name);
  const named = [...readme.matchAll(/(?:rust-just|`just) ([a-z][a-z-]*)/g)].map(([, name]) => name);
  assertEquals(named.filter((name) => !recipes.includes(name)), []);
  assertEquals(named.length > 5, true);
});

Deno.test("bench/README.md has a line for each folder of bench/, and for no other", async () => {
  const bench = join(repositoryRoot, "bench");
  const text = await Deno.readTextFile(join(bench, "README.md"));
  const listed = [...text.matchAll(/^\| `([a-z]+)\/` /gm)].map(([, name]) => name!);
  const folders = (await Array.fromAsync(Deno.readDir(bench)))
    .filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
  assertEquals(listed.toSorted(), folders.toSorted());
});

Deno.test("links of documents lead to files that there are, and to headings in them", async () => {
  const slug = (heading: string) =>
    heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(/\s/g, "-");
  for (const name of ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md"]) {
    const path = join(repositoryRoot, name);
    const text = await Deno.readTextFile(path);
    for (const [, link = ""] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [file = "", fragment] = link.split("#");
      const target = file === "" ? path : join(path, "..", file);
      await Deno.stat(target);
      if (fragment === undefined) continue;
      const headings = (await Deno.readTextFile(target)).matchAll(/^#+ (.+)$/gm);
      const slugs = [...headings].map(([, heading = ""]) => slug(heading));
      assertEquals(slugs.includes(fragment), true, `${name}: ${link}`);
    }
  }
});

Deno.test("SECURITY.md names tests that there are", async () => {
  const text = await Deno.readTextFile(join(repositoryRoot, "SECURITY.md"));
  const rows = text.split("\n").filter((line) => line.startsWith("|")).slice(2);
  const cells = rows.map((row) => row.split("|").at(-2) ?? "");
  const named = cells.flatMap((cell) => [...cell.matchAll(/"([^"]+)"/g)].map(([, name]) => name!));
  const sources = await Promise.all(["bench", "site/tests"].map((folder) => testTexts(folder)));
  const titles = sources.flat().flatMap((source) =>
    [...source.matchAll(/(?:(?:Deno\.test|\bstep)\(\s*|\bname: )"([^"]+)"/g)].map(([, title]) =>
      title!
    )
  );
  // An ellipsis stands for the rest of a long title.
  const isThere = (name: string) => titles.some((it) => it.startsWith(name.replace(/,? …$/, "")));
  assertEquals(named.filter((name) => !isThere(name)), []);
  assertEquals(named.length > 10, true);
  for (const [, path] of cells.join("\n").matchAll(/`([^`]+_test\.ts)`/g)) {
    await Deno.stat(join(repositoryRoot, path!));
  }
});

async function testTexts(folder: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(repositoryRoot, folder))) {
    const path = join(folder, name);
    if (isDirectory && name !== "target") texts.push(...await testTexts(path));
    if (name.endsWith("_test.ts")) {
      texts.push(await Deno.readTextFile(join(repositoryRoot, path)));
    }
  }
  return texts;
}

import { burstSize } from "../scenario/checks.ts";
import { scenarioFile } from "../scenario/ids.ts";

/** Where a check is given its name: as a property, a variable, an argument. */
const naming =
  /(?:(?:check|other)(?:: | = )|(?:check(?:User)?|judge\w*|addAndLook|askRight|special\.set|untilRight|notify|findMiscounted)\((?:\s*means,)?)\s*["`]([^"`]+)["`]/g;

/**
 * Returns the names of the checks that a scenario makes, sorted: those in its folder, in the files above it that these
 * import, and in `verify.ts`.
 */
export async function checkNames(scenario: string): Promise<string[]> {
  const folder = scenarioFile(scenario, ".");
  const paths = new Set(["../verify.ts"]);
  for await (const { name } of Deno.readDir(folder)) {
    if (!/(?<!_test|^contract|^judge)\.ts$/.test(name)) continue;
    paths.add(name);
    const text = await Deno.readTextFile(new URL(name, folder));
    for (const [, path = ""] of text.matchAll(/from "(\.\.\/\w+\.ts)"/g)) paths.add(path);
  }
  const names = new Set<string>();
  for (const path of paths) {
    const text = await Deno.readTextFile(new URL(path, folder));
    for (const [, name = ""] of text.matchAll(naming)) names.add(withConstants(name, text));
    for (const [, absent = ""] of text.matchAll(/verifyAbsent\(\s*\[([^\]]+)\]/g)) {
      for (const [, path] of absent.matchAll(/"([^"]+)"/g)) names.add(`path ${path}`);
    }
  }
  return [...names].filter((name) => !name.includes("$")).sort();
}

function withConstants(name: string, text: string): string {
  return name.replace(/\$\{(\w+)\}/g, (as, constant) => {
    if (constant === "burstSize") return `${burstSize}`;
    return text.match(new RegExp(`const ${constant} = (\\w+);`))?.[1] ?? as;
  });
}

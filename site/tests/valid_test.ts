import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { captured, example, published, type Site, siteOf } from "../../bench/testing/site.ts";

/**
 * The rules of the HTML standard. What the formatter of templates or a house style would ask for is none of them, and what
 * axe-core judges in a browser it judges better.
 */
const validator = new HtmlValidate(
  new StaticConfigLoader({ extends: ["html-validate:standard"], rules: {} }),
);

for (
  const [name, data] of Object.entries({ published, "made-up": example, damaged: captured })
) {
  Deno.test(`every page of the site of ${name} runs is valid HTML`, async () => {
    const problems = await problemsOf(await siteOf(data));
    assertEquals(problems, []);
  });
}

Deno.test("a page with an element where none may be is not valid", async () => {
  assert((await problemsIn("<!doctype html><title>t</title><p><div></div></p>")).length > 0);
});

async function problemsOf(site: Site): Promise<string[]> {
  const found: string[] = [];
  for (const page of await site.files(".html")) {
    const text = await Deno.readTextFile(join(site.folder, page));
    found.push(...(await problemsIn(text)).map((problem) => `${page}: ${problem}`));
  }
  return found;
}

async function problemsIn(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ line, ruleId, message }) => `line ${line}: ${ruleId}: ${message}`)
  );
}

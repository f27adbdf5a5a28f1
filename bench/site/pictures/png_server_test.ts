import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";

Deno.test("pictures are rendered on a machine where only the recipe's first step has run", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const cwd = fromFileUrl(new URL("../../..", import.meta.url));
  const run = async (...args: string[]) => {
    const command = new Deno.Command(Deno.execPath(), { args, cwd, env: { DENO_DIR: folder } });
    const { code, stdout, stderr } = await command.output();
    const [said, problem] = [stdout, stderr].map((it) => new TextDecoder().decode(it).trim());
    assertEquals(code, 0, problem);
    return said;
  };
  try {
    const justfile = await Deno.readTextFile(`${cwd}justfile`);
    const [, line = ""] = /^_pictures:\n\s+@bench\/deno\.sh (.*)$/m.exec(justfile) ?? [];
    assertEquals(await run(...line.split(" ")), "");
    const code = `
      import { pngRenderer } from "${import.meta.resolve("./png.ts")}";
      await using renderer = await pngRenderer();
      const letter = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">a</text></svg>';
      const png = await renderer.render(letter);
      console.log(new TextDecoder("latin1").decode(png.slice(1, 4)));`;
    assertEquals(await run("eval", "--quiet", "--frozen", "--no-check", code), "PNG");
    for (const recipe of ["site", "site-build", "test", "check", "site-cost"]) {
      assertEquals(new RegExp(`^${recipe}\\b.*: _pictures\\b`, "m").test(justfile), true, recipe);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

import { assertEquals } from "@std/assert";

async function linesOf(path: string): Promise<string[]> {
  const text = await Deno.readTextFile(new URL(path, import.meta.url));
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

Deno.test("the slowed backend is that of impls/rust with lines added", async (t) => {
  for (const file of ["src/main.rs", "Cargo.toml"]) {
    await t.step(file, async () => {
      const slowed = await linesOf(`rust-slowed/${file}`);
      const original = await linesOf(`../../impls/rust/${file}`);
      let at = 0;
      const kept = original.filter((line) => {
        const found = slowed.indexOf(line, at);
        if (found !== -1) at = found + 1;
        return found !== -1;
      });
      assertEquals(kept, original);
    });
  }
});

import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { ecosystem } from "./rust.ts";
import { temporaryFolder } from "../../testing/temporary_folder.ts";

const manifest = `[package]
name = "backend"
version = "0.1.0"
edition = "2024"

[workspace]
`;

Deno.test("two folders whose package has one name are built and linted each for itself, in any order", async () => {
  await using parent = await temporaryFolder();
  const folders = ["one", "two"].map((name) => join(parent.path, name));
  for (const folder of folders) {
    await Deno.mkdir(join(folder, "src"), { recursive: true });
    await Deno.writeTextFile(join(folder, "Cargo.toml"), manifest);
  }
  const [one, two] = folders as [string, string];
  await Deno.writeTextFile(join(one, "src/main.rs"), 'fn main() { print!("one") }');
  await Deno.writeTextFile(join(two, "src/main.rs"), 'fn main() { return print!("two"); }');
  const run = async (folder: string, program: string, ...args: string[]) => {
    const env = await ecosystem.setForBuild!(folder);
    const output = await new Deno.Command(program, { args, cwd: folder, env }).output();
    return { ...output, text: (key: "stdout" | "stderr") => new TextDecoder().decode(output[key]) };
  };
  for (const [folder, printed] of [[one, "one"], [two, "two"], [one, "one"]] as const) {
    assertEquals((await run(folder, "cargo", "build")).success, true);
    assertEquals((await run(folder, join(folder, "target/debug/backend"))).text("stdout"), printed);
  }
  for (const folder of [one, two, one, two]) {
    const linted = await run(folder, "cargo", "clippy", "--", "--deny", "warnings");
    assertEquals(linted.success, folder === one, folder);
    if (folder === two) assertStringIncludes(linted.text("stderr"), "needless_return");
  }
});

import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { ecosystem } from "../impl/ecosystems/rust.ts";
import { shareCrates } from "./native.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";

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
  // It prints more with the flags of the person whose settings cargo finds above.
  const flagged = 'if cfg!(debug_assertions) { "!" } else { "" }';
  const printOf = (name: string) => `print!("${name}{}", ${flagged})`;
  await Deno.writeTextFile(join(one, "src/main.rs"), `fn main() { ${printOf("one")} }\n`);
  await Deno.writeTextFile(join(two, "src/main.rs"), `fn main() { return ${printOf("two")}; }\n`);
  const personal = {
    "build-dir": join(parent.path, "all"),
    "target-dir": join(parent.path, "all"),
  };
  const lines = Object.entries(personal).map(([key, path]) => `${key} = ${JSON.stringify(path)}\n`);
  await Deno.mkdir(join(parent.path, ".cargo"));
  await Deno.writeTextFile(
    join(parent.path, ".cargo", "config.toml"),
    `[build]\nrustflags = ["-C", "debug-assertions=on"]\n${lines.join("")}`,
  );
  const run = async (program: string, args: string[], options: Deno.CommandOptions) => {
    const output = await new Deno.Command(program, { args, ...options }).output();
    return { ...output, text: (key: "stdout" | "stderr") => new TextDecoder().decode(output[key]) };
  };

  const cache = join(parent.path, "cache");
  await Deno.mkdir(cache);
  const shared = async (folder: string) => ({
    ...ecosystem.setForBuild!(folder),
    ...await shareCrates(folder, { ...Deno.env.toObject(), BACKBENCH_CACHE: cache }),
  });
  // As an implementation is built to be measured, then as one is built for tests.
  for (const setFor of [ecosystem.setForBuild!, shared]) {
    for (const [cwd, printed] of [[one, "one"], [two, "two"], [one, "one"]] as const) {
      const built = await run("cargo", ["build", "--release"], { cwd, env: await setFor(cwd) });
      assertEquals(built.success, true, built.text("stderr"));
      const { text } = await run(join(cwd, "target/release/backend"), [], {});
      assertEquals(text("stdout"), printed);
    }
    for (const folder of folders) await Deno.remove(join(folder, "target"), { recursive: true });
  }
  for (const cwd of [one, two, one, two]) {
    const args = ["clippy", "--", "--deny", "warnings"];
    const linted = await run("cargo", args, {
      cwd,
      env: { ...ecosystem.setForBuild!(cwd), ...ecosystem.setForChecks!(cwd) },
    });
    assertEquals(linted.success, cwd === one, cwd);
    if (cwd === two) assertStringIncludes(linted.text("stderr"), "needless_return");
  }
});

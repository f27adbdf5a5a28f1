import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { artefactBytes } from "./startup.ts";
import { commanded } from "../testing/commanded.ts";

Deno.test("artefactBytes() counts what start names and the build made", async (t) => {
  const folder = await Deno.makeTempDir();
  const sizeOf = (...start: string[]) => artefactBytes({ ...commanded(start).impl, folder });
  const write = async (path: string, bytes: number) => {
    await Deno.mkdir(join(folder, path, ".."), { recursive: true });
    await Deno.writeFile(join(folder, path), new Uint8Array(bytes));
  };
  await new Deno.Command("git", { args: ["init", "--quiet", folder] }).output();
  await Deno.writeTextFile(join(folder, ".gitignore"), "target/\n");
  await write("target/server", 1);
  await write("target/other", 2);
  await write("target/app/app.jar", 4);
  await write("target/app/lib/a.jar", 8);
  await write("target/app/lib/b.jar", 16);
  await write("main.ts", 32);

  await t.step("a program, without what lies beside it", async () => {
    assertEquals(await sizeOf("target/server", "--fast"), 1);
  });
  await t.step("a jar, with the libraries beside it", async () => {
    assertEquals(await sizeOf("java", "-jar", "target/app/app.jar"), 28);
  });
  await t.step("a cache that an option names, but no source", async () => {
    const cached = ["java", "-XX:AOTCache=target/other", "-jar", "target/app/app.jar"];
    assertEquals(await sizeOf(...cached), 30);
    assertEquals(await sizeOf("deno", "--config=main.ts"), undefined);
  });
  await t.step("nothing of a source: what it runs with lies elsewhere", async () => {
    assertEquals(await sizeOf("deno", "run", "main.ts"), undefined);
  });
  await t.step("nothing where git does not tell", async () => {
    await Deno.remove(join(folder, ".git"), { recursive: true });
    assertEquals(await sizeOf("target/server"), undefined);
  });
  await Deno.remove(folder, { recursive: true });
});

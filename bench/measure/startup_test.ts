import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { artefactBytes } from "./startup.ts";
import { commanded } from "../testing/commanded.ts";

Deno.test("artefactBytes() counts what start names and the build made", async (t) => {
  const folder = await Deno.makeTempDir();
  const sizeOf = (...start: string[]) => {
    const { impl } = commanded(start);
    const requires = start[0] === "java" ? { java: "*", maven: "*" } : {};
    return artefactBytes({ ...impl, folder, manifest: { ...impl.manifest, requires } });
  };
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
  await t.step(
    "a jar, with all folders of Quarkus beside it, and what lies there once",
    async () => {
      for (
        const [index, part] of ["run.jar", "app/a.jar", "lib/b.jar", "quarkus/c.jar"].entries()
      ) {
        await write(`target/quarkus-app/${part}`, 100 ** index);
      }
      const start = ["java", "-cp", "target/quarkus-app/lib", "-jar", "target/quarkus-app/run.jar"];
      assertEquals(await sizeOf(...start), 1_010_101);
    },
  );
  await t.step(
    "nothing that a link leads to outside the folder: the machine's interpreter",
    async () => {
      await Deno.mkdir(join(folder, "target/venv/bin"), { recursive: true });
      await Deno.symlink(Deno.execPath(), join(folder, "target/venv/bin/python"));
      assertEquals(await sizeOf("target/venv/bin/python", "main.py"), undefined);
      await Deno.symlink("../../server", join(folder, "target/venv/bin/linked"));
      assertEquals(await sizeOf("target/venv/bin/linked", "target/server"), 1);
      await Deno.symlink("nowhere", join(folder, "target/venv/bin/dangling"));
      await Deno.symlink("..", join(folder, "target/venv/bin/circle"));
      assertEquals(await sizeOf("target/venv"), 1);
    },
  );
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

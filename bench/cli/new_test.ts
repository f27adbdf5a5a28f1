import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { copyImpl } from "./new.ts";
import { discoverImpl } from "../impl/discover.ts";
import { BenchError } from "../lib/error.ts";
import { foldersOf } from "./folders.ts";
import { makePlace, type Place, runCommandLine } from "../testing/place.ts";

const { impls } = foldersOf();

Deno.test("copyImpl() copies what git tracks, and nothing that a build left behind", async () => {
  await using place = await makeTrackedPlace("deno");
  const { impls: folder } = place.folders;
  await Deno.mkdir(join(folder, "deno", "node_modules"));
  await Deno.writeTextFile(join(folder, "deno", "node_modules", "built.js"), "");
  const files = await copyImpl("deno-hono", { folder, like: "deno" });
  assertEquals(files, ["deno.json", "deno.lock", "impl.toml", "main.ts"]);
  assertEquals(await listFolder(join(folder, "deno-hono")), files);
  assertEquals(
    await Deno.readTextFile(join(folder, "deno-hono", "main.ts")),
    await Deno.readTextFile(join(folder, "deno", "main.ts")),
  );
  assertEquals((await listFolder(folder)).filter((name) => name.startsWith(".new-")), []);
});

Deno.test("copyImpl() names the copy after its id, and leaves out the note about the other", async () => {
  await using place = await makeTrackedPlace("spring-mvc");
  const { impls: folder } = place.folders;
  await copyImpl("spring-jdbc", { folder, like: "spring-mvc" });
  const { manifest } = await discoverImpl(folder, "spring-jdbc");
  assertEquals([manifest.name, manifest.note], ["spring-jdbc", undefined]);
  const pom = await Deno.readTextFile(join(folder, "spring-jdbc", "pom.xml"));
  assertStringIncludes(pom, "<artifactId>spring-jdbc</artifactId>");
  assertEquals(pom.includes("<artifactId>spring-mvc</artifactId>"), false);
});

Deno.test("copyImpl() leaves out a note of several lines", async () => {
  await using place = await makeTrackedPlace("deno");
  const { impls: folder } = place.folders;
  const path = join(folder, "deno", "impl.toml");
  const text = await Deno.readTextFile(path);
  for (const quotes of ['"""', "'''"]) {
    const note = `note = ${quotes}\nOne line.\nclass = "tuned"\n${quotes}\n`;
    await Deno.writeTextFile(
      path,
      text.replace(/^note = .*\n/m, "").replace("class =", `${note}class =`),
    );
    const id = quotes === '"""' ? "one" : "other";
    await copyImpl(id, { folder, like: "deno" });
    const { manifest } = await discoverImpl(folder, id);
    assertEquals([manifest.note, manifest.class], [undefined, "standard"]);
  }
});

Deno.test("copyImpl() refuses an id that is taken, one that cannot be an id, and an unknown model", async () => {
  await using place = await makeTrackedPlace("deno");
  const { impls: folder } = place.folders;
  await assertRejects(
    () => copyImpl("deno", { folder, like: "deno" }),
    BenchError,
    `Cannot add implementation "deno": "${folder}/deno" exists, expected an id that is free`,
  );
  await Deno.mkdir(join(folder, "built-before", "node_modules"), { recursive: true });
  await assertRejects(
    () => copyImpl("built-before", { folder, like: "deno" }),
    BenchError,
    `"${folder}/built-before" exists, expected an id that is free`,
  );
  await assertRejects(
    () => copyImpl("control", { folder, like: "deno" }),
    BenchError,
    'its id is "control", expected another: control and null-server are the harness\'s own servers',
  );
  await assertRejects(
    () => copyImpl("../Evil", { folder, like: "deno" }),
    BenchError,
    'Cannot add implementation "../Evil": its id is "../Evil", ' +
      "expected a lower-case letter, then lower-case letters, digits and hyphens",
  );
  await assertRejects(
    () => copyImpl("fine", { folder, like: "denno" }),
    BenchError,
    'Cannot find implementation "denno": no such folder, expected one of deno',
  );
  assertEquals((await listFolder(folder)).includes("fine"), false);
});

Deno.test("copyImpl() refuses to copy what git does not track", async () => {
  await using place = await makePlace();
  await place.add("honest");
  await assertRejects(
    () => copyImpl("other", { folder: place.folders.impls, like: "honest" }),
    BenchError,
    'Cannot copy "honest": git tracks no file of it, expected its sources to be committed',
  );
});

Deno.test("main() says what to do with a new implementation", async () => {
  await using place = await makeTrackedPlace("deno");
  const { code, stdout, stderr } = await runCommandLine(place, ["new", "oak", "--like", "deno"]);
  assertEquals(code, 0, stderr);
  assertEquals(
    stdout,
    "impls/oak is a copy of impls/deno, 4 files. Next: edit impl.toml, the code and .gitignore, and " +
      "make a new lock file. Then run `just verify oak` until the contract is met.\n",
  );
});

/** Makes a place with one of our implementations, known to git. */
async function makeTrackedPlace(id: string): Promise<Place> {
  const place = await makePlace();
  const { root, impls: folder } = place.folders;
  const { stdout } = await git(impls, "ls-files", "-z", id);
  for (const file of new TextDecoder().decode(stdout).split("\0").filter((name) => name !== "")) {
    await Deno.mkdir(dirname(join(folder, file)), { recursive: true });
    await Deno.copyFile(join(impls, file), join(folder, file));
  }
  await git(root, "add", join(folder, id));
  return place;
}

async function git(folder: string, ...args: string[]): Promise<Deno.CommandOutput> {
  return await new Deno.Command("git", { args: ["-C", folder, ...args] }).output();
}

async function listFolder(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { parseRange } from "@std/semver";
import { ecosystem, findJdk, type JavaPlaces, javaPlaces } from "./java.ts";
import { writeProgram } from "../../testing/write_program.ts";

const anyVersion = parseRange("*");
const noVersion = parseRange(">=1000");
// Of this machine, to be linked to.
const real = (await findJdk(anyVersion, javaPlaces())).jdk ??
  { home: "", version: "", isJdk: false };
const options = { ignore: !real.isJdk };

const nowhere: JavaPlaces = { env: {}, parents: [], javaHomeTool: "/nonexistent" };

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Makes what looks like a JDK of another version: a launcher that says so, and a compiler. */
async function makeJdk(home: string, version: string, { compiler = true } = {}): Promise<void> {
  await Deno.mkdir(join(home, "bin"), { recursive: true });
  const says = `printf '    java.home = %s\\n    java.version = %s\\n' '${home}' '${version}' >&2`;
  await writeProgram(join(home, "bin/java"), `#!/bin/sh\n${says}\n`);
  if (compiler) await writeProgram(join(home, "bin/javac"), "");
}

Deno.test(
  "findJdk() finds a JDK behind a link, in each place",
  options,
  () =>
    withFolder(async (folder) => {
      await Deno.symlink(real.home, join(folder, "current"));
      await Deno.mkdir(join(folder, "mac/jdk/Contents"), { recursive: true });
      await Deno.symlink(real.home, join(folder, "mac/jdk/Contents/Home"));
      const home = join(folder, "current");
      const places: JavaPlaces[] = [
        { ...nowhere, env: { JAVA_HOME: home } },
        { ...nowhere, env: { JAVA_HOME_25_X64: home } },
        { ...nowhere, env: { PATH: `/nonexistent:${home}/bin` } },
        { ...nowhere, parents: [folder] },
        { ...nowhere, parents: [join(folder, "mac")] },
      ];
      for (const place of places) assertEquals((await findJdk(anyVersion, place)).jdk, real);
    }),
);

Deno.test(
  "findJdk() reads the list of macOS's java_home",
  options,
  () =>
    withFolder(async (folder) => {
      const tool = join(folder, "java_home");
      const list = "Matching Java Virtual Machines (1):\n" +
        `    ${real.version} (arm64) "Eclipse Adoptium" - "OpenJDK" ${real.home}\n${real.home}`;
      await writeProgram(tool, `#!/bin/sh\ncat >&2 <<'end'\n${list}\nend\n`);
      assertEquals(await findJdk(anyVersion, { ...nowhere, javaHomeTool: tool }), {
        jdk: real,
        seen: [real],
      });
    }),
);

Deno.test("findJdk() takes the first that is in the range, in the order of the places", () =>
  withFolder(async (folder) => {
    for (const version of ["17.0.15", "25", "25.0.3", "26-ea"]) {
      await makeJdk(join(folder, version), version);
    }
    const places = {
      ...nowhere,
      env: {
        PATH: join(folder, "25/bin"),
        JAVA_HOME_25_X64: join(folder, "25.0.3"),
        JAVA_HOME: join(folder, "17.0.15"),
      },
      parents: [folder],
    };
    const found = async (range: string) => (await findJdk(parseRange(range), places)).jdk?.version;
    assertEquals(
      await Promise.all([">=17", ">=25", ">=26", "=25.0.0"].map(found)),
      ["17.0.15", "25.0.3", "26.0.0", "25.0.0"],
    );
  }));

Deno.test("findJdk() tells all that it saw, each once, and what cannot compile", () =>
  withFolder(async (folder) => {
    await makeJdk(join(folder, "8"), "1.8.0_402");
    await makeJdk(join(folder, "jre"), "25.0.3", { compiler: false });
    await Deno.symlink(join(folder, "8"), join(folder, "link"));
    await Deno.mkdir(join(folder, "empty"));
    assertEquals(await findJdk(parseRange(">=25"), { ...nowhere, parents: [folder] }), {
      jdk: undefined,
      seen: [
        { home: join(folder, "8"), version: "1.8.0", isJdk: true },
        { home: join(folder, "jre"), version: "25.0.3", isJdk: false },
      ],
    });
  }));

Deno.test("findJdk() finds nothing where there is nothing", async () => {
  assertEquals(await findJdk(noVersion, nowhere), { jdk: undefined, seen: [] });
});

Deno.test("Java's own are the modules of a JDK and packages of the standard ones, and no package of Maven's", () => {
  const names = ["java.net.http", "java.util.concurrent", "jdk.httpserver"];
  const others = ["java", "java.", "javalin", "io.javalin:javalin", "jdk.tools:jdk.tools"];
  assertEquals([...names, ...others].filter((name) => ecosystem.isBuiltIn!(name)), names);
});

Deno.test("a jar is deployed with the libraries beside it, as Spring Boot and Quarkus package them", () => {
  assertEquals(ecosystem.deployedWith!("/a/target/run.jar"), [
    "/a/target/app",
    "/a/target/lib",
    "/a/target/quarkus",
  ]);
  assertEquals(ecosystem.deployedWith!("/a/target/app.aot"), []);
});

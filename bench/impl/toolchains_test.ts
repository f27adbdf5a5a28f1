import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { z } from "zod";
import { discoverImpl } from "./discover.ts";
import type { Impl } from "./impl.ts";
import { BenchError } from "../lib/error.ts";
import { buildEnvironment, findToolchain, noToolchain, startEnvironment } from "./toolchains.ts";
import { evaluate } from "../testing/evaluate.ts";

const impls = fromFileUrl(new URL("../../impls", import.meta.url));

async function requiring(requires: Impl["manifest"]["requires"]): Promise<Impl> {
  const impl = await discoverImpl(impls, "deno");
  return { ...impl, manifest: { ...impl.manifest, requires } };
}

const evaluateWith = (env: Record<string, string>, expression: string) =>
  evaluate(expression, { env, module: import.meta.resolve("./toolchains.ts") });

/** Returns how findToolchain() refuses an implementation where these variables are set. */
async function refusalWith(env: Record<string, string>, impl: Impl) {
  const found = `module.findToolchain(${JSON.stringify(impl)})`;
  const error = "({ message, help }) => ({ message, help })";
  return z.object({ message: z.string(), help: z.string() })
    .parse(await evaluateWith(env, `${found}.catch(${error})`));
}

Deno.test("findToolchain() gives an implementation the Deno that the harness runs on", async () => {
  const { versions, path } = await findToolchain(await requiring({ deno: ">=2.9" }));
  assertEquals(versions, { deno: Deno.version.deno });
  assertEquals(path, [dirname(Deno.execPath())]);
});

Deno.test("findToolchain() reads the version of Go", async () => {
  const { versions } = await findToolchain(await discoverImpl(impls, "go"));
  assertEquals(Object.keys(versions), ["go"]);
  const impl = await requiring({ go: ">=99" });
  const { message, help } = await assertRejects(() => findToolchain(impl), BenchError);
  assertEquals(
    message,
    `Cannot use toolchain "go" for "deno": its version is ${versions.go}, expected >=99`,
  );
  assertEquals(
    help,
    "Install Go (https://go.dev/dl, or the package of your system); " +
      "from 1.21 on, `go env -w GOTOOLCHAIN=auto` lets it fetch the release that go.mod names",
  );
});

Deno.test("findToolchain() asks in the implementation's folder, and tells what the program says there", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  try {
    // Go may fetch the release that go.mod names, and cannot.
    const settings = Deno.build.os === "darwin" ? "Library/Application Support/go" : ".config/go";
    await Deno.mkdir(join(folder, settings), { recursive: true });
    await Deno.writeTextFile(join(folder, settings, "env"), "GOTOOLCHAIN=auto\nGOPROXY=off\n");
    await Deno.writeTextFile(join(folder, "go.mod"), "module m\n\ngo 1.99.0\n");
    const impl = { ...await requiring({ go: ">=1.26" }), folder };
    const { message, help } = await refusalWith({ HOME: folder }, impl);
    assertEquals(
      message,
      'Cannot use toolchain "go" for "deno": `go version` names no version, expected >=1.26',
    );
    assertStringIncludes(help ?? "", "go1.99.0");
    assertStringIncludes(help ?? "", "\nInstall Go");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("findToolchain() names the version that there is and the one that is required", async () => {
  const { versions } = await findToolchain(await requiring({ rust: "*" }));
  const impl = await requiring({ rust: ">=99" });
  const { message, help } = await assertRejects(() => findToolchain(impl), BenchError);
  assertEquals(
    message,
    `Cannot use toolchain "rust" for "deno": its version is ${versions.rust}, expected >=99`,
  );
  assertEquals(
    help,
    "Install Rust with rustup (https://rustup.rs), or run `rustup update stable`",
  );
});

Deno.test("findToolchain() tells what to do with a lock file where installing the toolchain would not help", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  try {
    const impl = { ...await requiring({ node: ">=26" }), folder };
    const { message, help } = await assertRejects(() => findToolchain(impl), BenchError);
    assertEquals(
      message,
      'Cannot use toolchain "node" for "deno": there is no package-lock.json, ' +
        "expected the lock file that npm makes of package.json",
    );
    assertEquals(help, "Make it, in its folder: npm install --package-lock-only");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("findToolchain() says so when a toolchain is not on PATH", async () => {
  const { message } = await refusalWith({ PATH: "/nowhere" }, await requiring({ rust: ">=1" }));
  assertEquals(
    message,
    'Cannot use toolchain "rust" for "deno": it was not found, expected >=1',
  );
});

Deno.test("startEnvironment() keeps what a person's shell or a job sets from a measured process", async () => {
  const toolchain = { ...noToolchain, path: ["/first"], keptForStart: ["DENO_DIR"] };
  const kept = z.string().array().parse(
    await evaluateWith(
      { RUST_LOG: "debug", GITHUB_ENV: "/env", ACTIONS_RUNTIME_TOKEN: "secret" },
      `Object.keys(module.startEnvironment(${JSON.stringify(toolchain)}))`,
    ),
  );
  assertEquals(
    kept.filter((name) => !["DENO_DIR", "HOME", "LANG", "PATH", "TMPDIR"].includes(name)),
    [],
  );
  assertEquals(buildEnvironment(toolchain).PATH?.startsWith("/first:"), true);
});

Deno.test("findToolchain() sets JAVA_HOME and PATH to the JDK that it found, for Maven too", async () => {
  const toolchain = await findToolchain(await discoverImpl(impls, "spring-mvc"));
  const { JAVA_HOME, PATH } = startEnvironment(toolchain);
  assertEquals(PATH?.startsWith(`${JAVA_HOME}/bin:`), true);
  assertEquals(Object.keys(toolchain.versions), ["java", "maven"]);
  assertEquals(toolchain.compilerThreads.map(({ source }) => source), ["^C[12] CompilerThre"]);
  assertEquals(toolchain.secondsToQuiet, 45);
});

Deno.test("findToolchain() says which runtimes need more requests to warm up", async () => {
  const factors = ["rust", "spring-mvc", "bun", "node", "deno", "deno-parallel"].map(async (id) =>
    (await findToolchain(await discoverImpl(impls, id))).warmUpFactor
  );
  // Each thread has as many requests as the only one of the others.
  const ofThreads = 4 * navigator.hardwareConcurrency;
  assertEquals(await Promise.all(factors), [1, 1, 1, 4, 4, ofThreads]);
});

Deno.test("findToolchain() names every JDK that will not do", async () => {
  const { versions, variables } = await findToolchain(await requiring({ java: "*" }));
  const impl = await requiring({ java: ">=99" });
  const { message } = await assertRejects(() => findToolchain(impl), BenchError);
  assertStringIncludes(message, 'Cannot use toolchain "java" for "deno": there is ');
  assertStringIncludes(message, `${versions.java} in ${variables.JAVA_HOME}`);
  assertStringIncludes(message, ", expected >=99");
});

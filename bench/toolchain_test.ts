import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { dirname, fromFileUrl } from "@std/path";
import { discoverImpl, type Impl } from "./discover.ts";
import { BenchError } from "./error.ts";
import { buildEnvironment, findToolchain, startEnvironment } from "./toolchain.ts";

const impls = fromFileUrl(new URL("../impls", import.meta.url));

async function requiring(requires: Impl["manifest"]["requires"]): Promise<Impl> {
  const impl = await discoverImpl(impls, "deno");
  return { ...impl, manifest: { ...impl.manifest, requires } };
}

Deno.test("findToolchain() gives an implementation the Deno that the harness runs on", async () => {
  const { versions, path } = await findToolchain(await requiring({ deno: ">=2.9" }));
  assertEquals(versions, { deno: Deno.version.deno });
  assertEquals(path, [dirname(Deno.execPath())]);
});

Deno.test("findToolchain() reads the version of Go", async () => {
  const { versions } = await findToolchain(await requiring({ go: ">=1.26" }));
  assertEquals(Object.keys(versions), ["go"]);
  const { message, help } = await assertRejects(
    async () => await findToolchain(await requiring({ go: ">=99" })),
    BenchError,
  );
  assertEquals(
    message,
    `Cannot use toolchain "go" for "deno": its version is ${versions.go}, expected >=99`,
  );
  assertEquals(help, "Install Go (https://go.dev/dl, or the package of your system)");
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

Deno.test("findToolchain() says so when a toolchain is not on PATH", async () => {
  const path = Deno.env.get("PATH");
  try {
    Deno.env.set("PATH", "/nowhere");
    const impl = await requiring({ rust: ">=1" });
    const { message } = await assertRejects(() => findToolchain(impl), BenchError);
    assertEquals(
      message,
      'Cannot use toolchain "rust" for "deno": it was not found, expected >=1',
    );
  } finally {
    Deno.env.set("PATH", path ?? "");
  }
});

Deno.test("startEnvironment() keeps what a person's shell sets from a measured process", () => {
  Deno.env.set("RUST_LOG", "debug");
  try {
    const toolchain = { versions: {}, path: ["/first"], variables: {} };
    const kept = Object.keys(startEnvironment(toolchain));
    assertEquals(
      kept.filter((name) => !["DENO_DIR", "HOME", "LANG", "PATH", "TMPDIR"].includes(name)),
      [],
    );
    assertEquals(buildEnvironment(toolchain).PATH?.startsWith("/first:"), true);
  } finally {
    Deno.env.delete("RUST_LOG");
  }
});

Deno.test("findToolchain() sets JAVA_HOME and PATH to the JDK that it found, for Maven too", async () => {
  const toolchain = await findToolchain(await discoverImpl(impls, "spring-mvc"));
  const { JAVA_HOME, PATH } = startEnvironment(toolchain);
  assertEquals(PATH?.startsWith(`${JAVA_HOME}/bin:`), true);
  assertEquals(Object.keys(toolchain.versions), ["java", "maven"]);
});

Deno.test("findToolchain() names every JDK that will not do", async () => {
  const { versions, variables } = await findToolchain(await requiring({ java: "*" }));
  const impl = await requiring({ java: ">=99" });
  const { message } = await assertRejects(() => findToolchain(impl), BenchError);
  assertStringIncludes(message, 'Cannot use toolchain "java" for "deno": there is ');
  assertStringIncludes(message, `${versions.java} in ${variables.JAVA_HOME}`);
  assertStringIncludes(message, ", expected >=99");
});

import { assertEquals, assertRejects } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { BenchError } from "../../lib/error.ts";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import { discoverImpl, listImplIds } from "../discover.ts";
import { ecosystem } from "./maven.ts";

const impls = fromFileUrl(new URL("../../../impls", import.meta.url));
const confirmIn = (folder: string) => ecosystem.confirm!("3.9.11", { folder, env: {} });

Deno.test("dependencies-lock.json has artefacts by group and name, as poms do", () => {
  const text = JSON.stringify({
    artifacts: [],
    dependencies: [{
      ...{ groupId: "io.vertx", artifactId: "vertx-web", version: "5.0.8", optional: false },
      ...{ scope: "compile", type: "jar", integrity: "sha512:AA==" },
    }],
  });
  assertEquals(Object.fromEntries(ecosystem.lockFile!.read(text)), {
    "io.vertx:vertx-web": "5.0.8",
  });
});

Deno.test("confirm() accepts the pom of each implementation: its build checks the lock file", async () => {
  for (const id of await listImplIds(impls)) {
    const { folder, manifest } = await discoverImpl(impls, id);
    if (manifest.requires.maven !== undefined) await confirmIn(folder);
  }
});

Deno.test("confirm() refuses a pom without the plugin, with another goal, and with a check of another plugin's", async () => {
  await using folder = await temporaryFolder();
  const plugin = (name: string, goal: string) =>
    `<plugin><artifactId>${name}</artifactId><goals><goal>${goal}</goal></goals></plugin>`;
  const lock = "dependency-lock-maven-plugin";
  const ktlint = plugin("ktlint-maven-plugin", "check");
  const path = join(folder.path, "pom.xml");
  const refusal =
    `Cannot use the build of "${path}": nothing in it checks dependencies-lock.json, ` +
    "expected dependency-lock-maven-plugin with its goal check";
  for (
    const plugins of [
      ktlint,
      ktlint + plugin(lock, "lock"),
      `<!-- ${plugin(lock, "check")} -->`,
    ]
  ) {
    await Deno.writeTextFile(path, `<project>${plugins}</project>`);
    await assertRejects(() => confirmIn(folder.path), BenchError, refusal);
  }
  await Deno.writeTextFile(path, `<project>${ktlint}${plugin(lock, "check")}</project>`);
  await confirmIn(folder.path);
});

import { join } from "@std/path";
import { z } from "zod";
import { ask, type Ecosystem, type Surroundings } from "../ecosystem.ts";
import { BenchError } from "../../lib/error.ts";

const lockName = "dependencies-lock.json";
const lockPlugin = "dependency-lock-maven-plugin";

const lockSchema = z.object({
  dependencies: z.array(
    z.object({ groupId: z.string(), artifactId: z.string(), version: z.string() }),
  ),
});

export const ecosystem: Ecosystem = {
  find: ask(["mvn", "--version"], /Apache Maven (\d+\.\d+\.\d+)/),
  confirm: confirmChecked,
  install: "Install Maven (https://maven.apache.org, or the package of your system)",
  runsOn: "java",
  lockFile: {
    // Maven has no lock file of its own. dependency-lock-maven-plugin (https://github.com/vandmo/dependency-lock-maven-plugin)
    // writes this one with `mvn dependency-lock:lock`, versions and checksums without addresses, and checks each build.
    name: lockName,
    read: (text) =>
      new Map(
        lockSchema.parse(JSON.parse(text)).dependencies.map(
          ({ groupId, artifactId, version }) => [`${groupId}:${artifactId}`, version],
        ),
      ),
  },
  ownNames: {
    "pom.xml": (id) =>
      new RegExp(`(<groupId>backbench</groupId>\\s*<artifactId>)${id}(</artifactId>)`, "g"),
  },
  dependabot: "maven",
};

/**
 * Checks that the build compares what Maven resolved with the lock file: without that, it may be anything.
 *
 * @throws {BenchError} when `pom.xml` does not have the plugin check it.
 */
async function confirmChecked(_version: string, { folder }: Surroundings): Promise<void> {
  const path = join(folder, "pom.xml");
  const pom = (await Deno.readTextFile(path)).replaceAll(/<!--.*?-->/gs, "");
  const plugins = pom.match(/<plugin>.*?<\/plugin>/gs) ?? [];
  const isChecked = plugins.some((plugin) =>
    plugin.includes(`<artifactId>${lockPlugin}</artifactId>`) &&
    plugin.includes("<goal>check</goal>")
  );
  if (isChecked) return;
  throw new BenchError(
    `Cannot use the build of "${path}": nothing in it checks ${lockName}, expected ${lockPlugin} with its goal check`,
    { help: "Copy that plugin from the pom.xml of another implementation." },
  );
}

import { z } from "zod";
import { ask, type Ecosystem } from "../ecosystem.ts";

const lockSchema = z.object({
  dependencies: z.array(
    z.object({ groupId: z.string(), artifactId: z.string(), version: z.string() }),
  ),
});

export const ecosystem: Ecosystem = {
  find: ask(["mvn", "--version"], /Apache Maven (\d+\.\d+\.\d+)/),
  install: "Install Maven (https://maven.apache.org, or the package of your system)",
  runsOn: "java",
  lockFile: {
    // Maven has no lock file of its own. dependency-lock-maven-plugin (https://github.com/vandmo/dependency-lock-maven-plugin)
    // writes this one with `mvn dependency-lock:lock`, versions and checksums without addresses, and checks each build.
    name: "dependencies-lock.json",
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

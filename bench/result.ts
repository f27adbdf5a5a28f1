import { fromFileUrl } from "@std/path";
import type { Impl } from "./discover.ts";
import { BenchError } from "./error.ts";
import { repeatCommand } from "./plan.ts";
import type { Checkout } from "./provenance.ts";
import { type ImplFacts, type Machine, type Plan, type Result, schemaVersion } from "./schema.ts";
import type { Toolchain } from "./toolchain.ts";
import { lockedVersions } from "./versions.ts";

/** What is the same for all implementations of a run. */
export interface RunFacts {
  runId: string;
  plan: Plan;
  machine: Machine;
  checkout: Checkout;
  /** Name to version, of what measures. */
  tools: Record<string, string>;
}

/** Makes the result of an implementation that nothing was measured of yet. */
export async function beginResult(
  impl: Impl,
  toolchain: Toolchain | undefined,
  { runId, plan, machine, checkout, tools }: RunFacts,
): Promise<Result> {
  return {
    schemaVersion,
    runId,
    scenario: "jwt-mysql",
    impl: await describeImpl(impl, toolchain),
    status: "incomplete",
    startedAt: new Date().toISOString(),
    plan,
    provenance: {
      ...checkout,
      command: repeatCommand(impl.id, plan),
      build: impl.manifest.build,
      start: impl.manifest.start,
      tools,
    },
    machine,
    levels: [],
  };
}

async function describeImpl(impl: Impl, toolchain: Toolchain | undefined): Promise<ImplFacts> {
  const { name, language, class: implClass, website, runtime, framework, driver, jwt } =
    impl.manifest;
  const locked = await lockedVersions(impl);
  const versioned = (packageName: string) => {
    const version = locked.get(packageName);
    if (version === undefined) {
      throw new BenchError(
        `Cannot read the version of "${packageName}": the lock file of "${impl.id}" does not have it, ` +
          `expected the package's name as it stands there`,
      );
    }
    return { name: packageName, version };
  };
  const [required] = Object.keys(impl.manifest.requires);
  const runtimeVersion = Object.entries(toolchain?.versions ?? {})
    .find(([toolchainName]) => toolchainName === required)?.[1];
  return {
    id: impl.id,
    name,
    language,
    class: implClass,
    website,
    runtime: {
      name: runtime,
      ...(runtimeVersion === undefined ? {} : { version: runtimeVersion }),
    },
    framework: versioned(framework),
    driver: versioned(driver),
    jwt: versioned(jwt),
  };
}

/** The repository's root. */
export const repositoryRoot = fromFileUrl(new URL("..", import.meta.url)).replace(/\/$/, "");

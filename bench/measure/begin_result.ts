import { needsOf } from "../impl/discover.ts";
import type { Impl } from "../impl/impl.ts";
import { repeatCommand } from "../results/repeat_command.ts";
import { type Checkout, sourcesDigest } from "../lib/git.ts";
import type { ImplFacts, Machine } from "../results/environment_schema.ts";
import { type Plan, type Result, schemaVersion } from "../results/result_schema.ts";
import type { Startable } from "../impl/start.ts";
import type { Toolchain } from "../impl/toolchains.ts";

/** What all implementations of a run share. */
export interface RunFacts {
  runId: string;
  /** Which of the machines that measure the same in one run, from 2. */
  replica?: number;
  /** The id of the one that is measured. */
  scenario: string;
  plan: Plan;
  machine: Machine;
  checkout: Checkout;
  /** Of the sources of implementations, where they are of another commit: the base of a change. */
  implCommit?: string;
  /** Versions of the tools that measure, by name. */
  tools: Record<string, string>;
}

/** Returns what results say of an implementation; `locked` has its packages' versions, `scenario` is the id of one. */
export async function describeImplIn(
  scenario: string,
  { impl, toolchain }: Startable,
  locked: ReadonlyMap<string, string>,
): Promise<ImplFacts> {
  const needs = await needsOf([scenario]);
  const {
    name,
    language,
    class: implClass,
    website,
    note,
    runtime,
    framework,
    driver,
    jwt,
    client,
  } = impl.manifest;
  const versioned = (name: string, version = locked.get(name)) => ({ name, version });
  const [required] = Object.keys(impl.manifest.requires);
  return {
    id: impl.id,
    name,
    language,
    class: implClass,
    website,
    note,
    runtime: versioned(runtime, toolchain.versions[required ?? ""]),
    framework: versioned(framework),
    driver: driver !== undefined && needs.includes("database") ? versioned(driver) : undefined,
    jwt: jwt !== undefined && needs.includes("tokens") ? versioned(jwt) : undefined,
    client: client !== undefined && needs.includes("upstream") ? versioned(client) : undefined,
  };
}

/** Creates the result of an implementation before anything is measured; `locked` has its packages' versions. */
export async function beginResult(
  impl: Impl,
  toolchain: Toolchain,
  locked: ReadonlyMap<string, string>,
  { runId, replica, scenario, plan, machine, checkout, implCommit, tools }: RunFacts,
): Promise<Result> {
  return {
    schemaVersion,
    runId,
    replica,
    scenario,
    impl: await describeImplIn(scenario, { impl, toolchain }, locked),
    status: "incomplete",
    startedAt: new Date().toISOString(),
    plan,
    provenance: {
      ...checkout,
      implCommit,
      sourcesSha256: checkout.dirty
        ? undefined
        : await sourcesDigest(impl.folder, implCommit ?? checkout.commit),
      command: repeatCommand(impl.id, scenario, plan) +
        (implCommit === undefined ? "" : ` --base ${implCommit}`),
      build: impl.manifest.build,
      start: impl.manifest.start,
      tools,
    },
    machine,
    levels: [],
  };
}

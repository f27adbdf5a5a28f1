import { bold, green, red } from "@std/fmt/colors";
import type { Command } from "commander";
import { type CommandContext, type CommandResult, examples } from "./command.ts";
import { inspectProviders } from "../database/open.ts";
import { discoverImpl, listImplIds } from "../impl/discover.ts";
import { ecosystemNames } from "../impl/ecosystems.ts";
import { BenchError } from "../lib/error.ts";
import { findToolchain } from "../impl/toolchains.ts";
import { loneHelperNames } from "../native/native.ts";
import { inspectTools } from "../tools/tools.ts";

/** Adds `doctor`. */
export function addDoctor(program: Command, context: CommandContext): void {
  program.command("doctor")
    .description("show every tool, toolchain and database provider, and what to install")
    .addHelpText("after", examples("doctor"))
    .action(async () => {
      const { text, isGood } = await doctor(context);
      context.print(text, isGood);
    });
}

/** Shows every tool, toolchain and database provider; good if an implementation can be measured. */
export async function doctor({ folders, signal }: CommandContext): Promise<CommandResult> {
  const lines: Line[] = [bold("Tools")];
  const usable: string[] = [];
  const unusable: string[] = [];
  const tools = await inspectTools();
  for (const { name, state, version, path, install } of tools) {
    lines.push(
      state === "found"
        ? { isFound: true, name, detail: `${version} in ${path}` }
        : { isFound: false, name, detail: install ?? "" },
    );
  }
  const required = new Set<string>();
  lines.push("", bold("Toolchains that implementations require"));
  for (const id of await listImplIds(folders.impls)) {
    try {
      const impl = await discoverImpl(folders.impls, id);
      for (const name of Object.keys(impl.manifest.requires)) required.add(name);
      const { versions } = await findToolchain(impl);
      usable.push(id);
      const found = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
      lines.push({ isFound: true, name: id, detail: found.join(", ") });
    } catch (error) {
      if (!(error instanceof BenchError)) throw error;
      unusable.push(id);
      lines.push(
        { isFound: false, name: id, detail: error.message },
        ...(error.help?.split("\n") ?? []).map(indent),
      );
    }
  }
  const unused = ecosystemNames.filter((name) => !required.has(name));
  if (unused.length > 0) lines.push(indent(`Known, but not required: ${unused.join(", ")}`));
  lines.push("", bold("Databases, in the order in which they are tried"));
  const providers = await inspectProviders({ signal });
  for (const { provider, available, detail, help } of providers) {
    lines.push({ isFound: available, name: provider, detail });
    if (help !== undefined) lines.push(indent(help));
  }
  const database = providers.find(({ available }) => available)?.provider;
  const missing = new Set(tools.filter(({ state }) => state === "missing").map(({ name }) => name));
  // What is built already needs none of these.
  const willBuild = ["oha", "hyperfine", "native", ...loneHelperNames].some((it) =>
    missing.has(it)
  );
  const lacking = ["git", ...willBuild ? ["cargo", "rustc", "cc"] : []]
    .filter((name) => missing.has(name));
  const { text, isGood } = describeVerdict({ database, usable, unusable, lacking });
  lines.push("", text);
  return { text: alignNames(lines), isGood };
}

/**
 * Says at the end what can be measured, and what is left to install for it, or for others; good if anything can be measured.
 * Most of what is missing is optional, or is installed when it is needed.
 */
export function describeVerdict(
  { database, usable, unusable, lacking }: {
    database?: string;
    /** Implementations whose toolchains are there. */
    usable: readonly string[];
    unusable: readonly string[];
    /** Programs. */
    lacking: readonly string[];
  },
): CommandResult {
  const missing = [
    ...lacking,
    ...(unusable.length === 0 ? [] : [`what ${unusable.join(", ")} require`]),
    ...(database === undefined ? ["a database"] : []),
    ...(usable.length + unusable.length === 0 ? ["an implementation"] : []),
  ];
  if (lacking.length > 0 || database === undefined || usable.length === 0) {
    const expected = missing.join(", ");
    const text =
      `Not everything is here, expected ${expected}: the lines above say what to install.`;
    return { text: red(text), isGood: false };
  }
  const from = database === "DATABASE_URL"
    ? "is the server of DATABASE_URL"
    : `comes from ${database}`;
  const text = unusable.length === 0
    ? `Ready: MySQL ${from}. What is marked missing above is optional, or is installed when it is needed.`
    : `Ready to measure ${usable.join(", ")}: MySQL ${from}. ` +
      `The lines above say what ${unusable.join(", ")} require.`;
  return { text: green(text), isGood: true };
}

/** A line as it is, or what is found or missing. */
type Line = string | { isFound: boolean; name: string; detail: string };

/** Returns the lines as text, with one column for the names. */
export function alignNames(lines: Line[]): string {
  const width = Math.max(...lines.map((line) => typeof line === "string" ? 0 : line.name.length));
  return lines.map((line) => {
    if (typeof line === "string") return line;
    const state = line.isFound ? green("found  ") : red("missing");
    return `  ${state}  ${line.name.padEnd(width)}  ${line.detail}`.trimEnd();
  }).join("\n");
}

function indent(text: string): string {
  return `    ${text}`;
}

/** What an implementation is: its folder, and what its `impl.toml` says. */
import { tryParseRange } from "@std/semver";
import { z } from "zod";
import { scenarioIds } from "../scenario/ids.ts";
import type { Need } from "../scenario/words.ts";
import { implClassSchema } from "../results/environment_schema.ts";
import { nameText, text, webAddress } from "../results/values.ts";
import { ecosystemNames } from "./ecosystems.ts";

// As it is: a command with a space in place of a character is another one.
const command = z.array(z.string().min(1)).min(1);
const range = text.refine(
  (versions) => tryParseRange(versions) !== undefined,
  "a range of versions, like >=1.94",
);

export const manifestSchema = z.strictObject({
  name: nameText,
  language: nameText,
  runtime: nameText,
  framework: nameText,
  scenarios: z.array(z.enum(scenarioIds)).min(1),
  driver: nameText.optional(),
  jwt: nameText.optional(),
  client: nameText.optional(),
  class: implClassSchema,
  website: webAddress,
  note: text.optional(),
  build: command,
  start: command,
  requires: z.partialRecord(z.enum(ecosystemNames), range),
});

/** What an `impl.toml` says. */
export type Manifest = z.infer<typeof manifestSchema>;

/** The keys that name packages, as the lock file has them. */
export const packageKeys = ["framework", "driver", "jwt", "client"] as const;

/** Returns the packages that a manifest names. */
export function packagesOf(manifest: Manifest): string[] {
  return packageKeys.map((key) => manifest[key]).filter((name) => name !== undefined);
}

/**
 * Returns the words of `start` that may be paths: its arguments, those in a shell's text one by one, of an option or a
 * variable (`-XX:AOTCache=<file>`, `HOME=<folder>`) what it is set to.
 */
export function startWords({ start }: Pick<Manifest, "start">): string[] {
  return start.flatMap((argument) => argument.split(/\s+/))
    .map((word) => word.replace(/^(-[^=]*|\w+)=/, ""))
    .filter((word) => word !== "");
}

/** One implementation: its id is its folder's name. */
export interface Impl {
  id: string;
  folder: string;
  manifest: Manifest;
  /** Of all scenarios that it lists: one process serves them all. */
  needs: Need[];
}

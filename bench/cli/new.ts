/**
 * The command `new`: starts an implementation as a copy of another. Copies the files that git tracks, and replaces
 * the old id with the new one.
 */
import { basename, dirname, join } from "@std/path";
import type { Command } from "commander";
import { type CommandContext, examples } from "./command.ts";
import { discoverImpl, listImplIds, parseManifest, problemOfId } from "../impl/discover.ts";
import { requiredEcosystems } from "../impl/ecosystems.ts";
import { exists } from "../lib/exists.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import { gitPaths } from "../lib/git.ts";

/** Adds `new`. */
export function addNew(program: Command, { folders, print }: CommandContext): void {
  program.command("new")
    .description("start an implementation as a copy of another")
    .argument("<id>", "the new folder under impls/")
    .option("--like <impl>", "the implementation to copy (required)")
    .addHelpText("after", examples("new deno-hono --like deno"))
    .action(async (id: string, { like }: { like?: string }, self: Command) => {
      if (like === undefined) {
        const ids = (await listImplIds(folders.impls)).join(", ");
        self.error(
          `error: --like is not given, expected the implementation to copy, one of ${ids}`,
        );
      }
      const files = await copyImpl(id, { folder: folders.impls, like });
      print(
        `impls/${id} is a copy of impls/${like}, ${files.length} files. Next: edit impl.toml, ` +
          "the code and .gitignore, and make a new lock file. Then run " +
          `\`just verify ${id}\` until the contract is met.`,
      );
    });
}

/**
 * Copies the implementation `like` in a folder of a git checkout, and returns the files of the copy, relative to its folder.
 *
 * @throws {BenchError} when the id is taken or malformed, or there is nothing to copy.
 */
export async function copyImpl(
  id: string,
  { folder, like }: { folder: string; like: string },
): Promise<string[]> {
  const problem = problemOfId(id);
  if (problem !== undefined) {
    throw new BenchError(`Cannot add implementation "${id}": its id is "${id}", ${problem}`);
  }
  // Also a folder that is none: one that only a build of another branch left.
  if (await exists(join(folder, id))) {
    throw new BenchError(
      `Cannot add implementation "${id}": "${
        join(folder, id)
      }" exists, expected an id that is free`,
    );
  }
  const model = await discoverImpl(folder, like);
  const files = await gitPaths(model.folder, "ls-files", "-z", ".");
  if (files.length === 0) {
    throw new BenchError(
      `Cannot copy "${like}": git tracks no file of it, expected its sources to be committed`,
    );
  }
  const ecosystems = await requiredEcosystems(model.manifest.requires);
  const ownNames = new Map(ecosystems.flatMap(([, { ownNames = {} }]) => Object.entries(ownNames)));
  const staging = await Deno.makeTempDir({ dir: folder, prefix: ".new-" });
  try {
    for (const file of files) {
      const target = join(staging, file);
      await Deno.mkdir(dirname(target), { recursive: true });
      await Deno.copyFile(join(model.folder, file), target).catch((cause) => {
        throw new BenchError(
          `Cannot copy "${like}": ${file}, which git tracks, cannot be read: ${messageOf(cause)}`,
          { cause },
        );
      });
      const pattern = ownNames.get(basename(file))?.(like);
      if (pattern !== undefined) await renameIn(target, pattern, id);
    }
    await nameAfter(join(staging, "impl.toml"), id);
    await Deno.chmod(staging, 0o755);
    await Deno.rename(staging, join(folder, id));
  } catch (error) {
    await Deno.remove(staging, { recursive: true });
    throw error;
  }
  return files;
}

/** Renames a package that is named after its folder; other text stays as it is. */
async function renameIn(path: string, pattern: RegExp, to: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  const renamed = text.replaceAll(
    pattern,
    (_, before: string, after: string) => before + to + after,
  );
  if (renamed !== text) await Deno.writeTextFile(path, renamed);
}

/** Sets the display name to the id, and drops the note, which was about the original. */
async function nameAfter(path: string, id: string): Promise<void> {
  const manifest = (await Deno.readTextFile(path))
    .replace(/^name = .*$/m, `name = "${id}"`)
    .replace(/^note = (?:"""[^]*?"""|'''[^]*?'''|.*)[^\S\n]*\n/m, "");
  await parseManifest(manifest, path);
  await Deno.writeTextFile(path, manifest);
}

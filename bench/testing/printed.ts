// deno-lint-ignore-file no-console -- takes what is printed
/** What a command line prints, of the program in this process; a place's folder is `<root>` in it. */
import { stripAnsiCode } from "@std/fmt/colors";
import { join } from "@std/path";
import { main } from "../main.ts";
import { exampleResult } from "./example_result.ts";
import type { Place } from "./place.ts";

/** Runs a command line in this process. */
export async function printedBy(
  place: Place,
  line: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const printed = { stdout: "", stderr: "" };
  const { log, error } = console;
  console.log = (text: string) => printed.stdout += `${text}\n`;
  console.error = (text: string) => printed.stderr += `${text}\n`;
  try {
    const code = await main(line.split(" "), { folders: place.folders });
    const shorten = (text: string) =>
      stripAnsiCode(text).replaceAll(place.folders.root, "<root>").trimEnd();
    return { code, stdout: shorten(printed.stdout), stderr: shorten(printed.stderr) };
  } finally {
    Object.assign(console, { log, error });
  }
}

/** Writes the only result of the place's only run. */
export async function writeOnlyRun({ folders }: Place, text: string): Promise<void> {
  const { runId } = exampleResult();
  await Deno.mkdir(join(folders.localRuns, runId), { recursive: true });
  await Deno.writeTextFile(join(folders.localRuns, runId, "example.json"), text);
}

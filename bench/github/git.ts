import { BenchError } from "../lib/error.ts";

/** Options for {@linkcode runGit}. */
export interface GitOptions {
  /** Additions to this process's environment. */
  env?: Record<string, string>;
  /** Git's standard input; empty by default. */
  input?: string;
  signal: AbortSignal;
}

/** Who commits published runs: GitHub shows this address as its own bot. */
const publisher = {
  name: "github-actions[bot]",
  email: "41898282+github-actions[bot]@users.noreply.github.com",
};

/**
 * Runs git in `root` as the publisher, and returns what it prints.
 *
 * @throws {BenchError} with what git says, all of it, as help.
 */
export async function runGit(
  root: string,
  args: string[],
  { env, input = "", signal }: GitOptions,
): Promise<string> {
  signal.throwIfAborted();
  const child = new Deno.Command("git", {
    args: ["-C", root, ...args],
    env: {
      // Messages must be in English, and prompts would never be answered.
      LC_ALL: "C",
      GIT_TERMINAL_PROMPT: "0",
      GIT_AUTHOR_NAME: publisher.name,
      GIT_AUTHOR_EMAIL: publisher.email,
      GIT_COMMITTER_NAME: publisher.name,
      GIT_COMMITTER_EMAIL: publisher.email,
      ...env,
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal,
  }).spawn();
  const output = child.output();
  const writer = child.stdin.getWriter();
  // If git ends without reading, its own error is reported.
  await writer.write(new TextEncoder().encode(input)).then(() => writer.close()).catch(() => {});
  const { success, code, stdout, stderr } = await output;
  signal.throwIfAborted();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
  if (success) return out!;
  throw new BenchError(`Cannot run "git ${args.join(" ")}": it ended with exit code ${code}`, {
    help: [out, err].filter((text) => text !== "").join("\n"),
  });
}

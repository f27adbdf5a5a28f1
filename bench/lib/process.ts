import { BenchError, messageOf } from "./error.ts";

/** How a process ended: an exit code, and the signal if one killed it. */
export interface ExitStatus {
  code: number;
  signal: string | null;
}

/** Says how a process ended. */
export function describeExit({ code, signal }: ExitStatus): string {
  return signal ?? `exit code ${code}`;
}

/** A process in a group of its own, with both output streams in one log file. */
export interface Process extends AsyncDisposable {
  readonly pid: number;
  readonly logPath: string;
  /** Resolves when the process itself has ended. */
  readonly status: Promise<ExitStatus>;
  /** Undefined while the process runs. */
  exited(): ExitStatus | undefined;
  /** Sends `signal` (SIGTERM by default) to the group and, after `timeoutMs` (10,000), SIGKILL. */
  stop(options?: { signal?: Deno.Signal; timeoutMs?: number }): Promise<ExitStatus>;
}

/** Options for {@linkcode startProcess} and {@linkcode runProcess}. */
export interface ProcessOptions {
  cwd?: string;
  /** The whole environment with `clearEnv`, else additions to this process's. */
  env?: Record<string, string>;
  clearEnv?: boolean;
  logPath: string;
}

/**
 * Starts a command in its own process group, so that stopping it stops all its children, and a Ctrl-C in the terminal
 * reaches only the harness. A shell opens the log and is replaced by the command, so the output of a measured process
 * never passes through the harness.
 *
 * @throws {Deno.errors.NotFound} when `cwd` does not exist.
 */
export function startProcess(command: string[], options: ProcessOptions): Process {
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", 'log=$1; shift; exec "$@" >>"$log" 2>&1', "sh", options.logPath, ...command],
    stdin: "null",
    stdout: "null",
    stderr: "null",
    detached: true,
    cwd: options.cwd,
    env: options.env,
    clearEnv: options.clearEnv,
  }).spawn();
  let exit: ExitStatus | undefined;
  const status = child.status.then(({ code, signal }) => {
    exit = { code, signal };
    // Kills what the process left behind in its group now, because its id may be reused later.
    signalGroup(child.pid, "SIGKILL");
    return exit;
  });
  const stop: Process["stop"] = async ({ signal = "SIGTERM", timeoutMs = 10_000 } = {}) => {
    if (exit !== undefined) return exit;
    signalGroup(child.pid, signal);
    // A frozen process reacts to SIGKILL only.
    signalGroup(child.pid, "SIGCONT");
    const timer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), timeoutMs);
    try {
      return await status;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    pid: child.pid,
    logPath: options.logPath,
    status,
    exited: () => exit,
    stop,
    [Symbol.asyncDispose]: async () => void await stop(),
  };
}

/** Runs a command to its end, and stops its whole group when `signal` aborts. */
export async function runProcess(
  command: string[],
  options: ProcessOptions & { signal?: AbortSignal },
): Promise<ExitStatus> {
  options.signal?.throwIfAborted();
  await using process = startProcess(command, options);
  const abort = () => void process.stop();
  options.signal?.addEventListener("abort", abort);
  try {
    const status = await process.status;
    options.signal?.throwIfAborted();
    return status;
  } finally {
    options.signal?.removeEventListener("abort", abort);
  }
}

/**
 * Runs a command that must exit with 0; `cannot` begins the error's message.
 *
 * @throws {BenchError} with the command, how it ended and the end of its log.
 */
export async function runOrThrow(
  cannot: string,
  command: string[],
  options: ProcessOptions & { signal?: AbortSignal },
): Promise<void> {
  const exit = await runProcess(command, options);
  if (exit.code === 0) return;
  throw new BenchError(
    `${cannot}: \`${command.join(" ")}\` ended with ${describeExit(exit)}, expected 0`,
    { help: `The end of ${options.logPath}:\n${await logTail(options.logPath)}` },
  );
}

/** Returns the end of a process's log, with a line above it that says so. */
export async function endOfLog(path: string): Promise<string> {
  return `The end of its log:\n${await logTail(path)}`;
}

/** Returns the last lines of a log, or why there are none. */
export async function logTail(path: string, lines = 20): Promise<string> {
  try {
    const text = (await Deno.readTextFile(path)).trimEnd();
    return text === "" ? `(${path} is empty)` : text.split("\n").slice(-lines).join("\n");
  } catch (error) {
    return `(${path} cannot be read: ${messageOf(error)})`;
  }
}

/** Freezes a process group: it uses no CPU time until it is thawed. */
export function freeze({ pid }: { pid: number }): void {
  signalGroup(pid, "SIGSTOP");
}

/** Thaws a frozen process group. */
export function thaw({ pid }: { pid: number }): void {
  signalGroup(pid, "SIGCONT");
}

function signalGroup(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(-pid, signal);
  } catch (error) {
    // The group is already gone, which is the goal.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

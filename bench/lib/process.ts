import { BenchError } from "./error.ts";
import { logTail } from "./log_lines.ts";
import type { ProcessRoot } from "./process_tree.ts";
import { kill, signalGroup, thaw } from "./signals.ts";

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
export interface Process extends ProcessRoot, AsyncDisposable {
  readonly logPath: string;
  /** Resolves when the process has ended and, with a launcher, everything that it started. */
  readonly status: Promise<ExitStatus>;
  /** Undefined while the process runs. */
  exited(): ExitStatus | undefined;
  /**
   * Sends `signal` (the option `stopSignal` by default) to the group and, after `timeoutMs` (10,000), SIGKILL. With a
   * launcher, nothing of the process is left; without one, only what left its group may be.
   */
  stop(options?: { signal?: Deno.Signal; timeoutMs?: number }): Promise<ExitStatus>;
}

/** Options for {@linkcode startProcess} and {@linkcode runProcess}. */
export interface ProcessOptions {
  cwd?: string;
  /** The whole environment with `clearEnv`, else additions to this process's. */
  env?: Record<string, string>;
  clearEnv?: boolean;
  logPath: string;
  /**
   * Path of the launcher. It keeps all that the command starts below itself, also what leaves the group while its
   * parent ends, so that everything can be found, frozen and stopped. For programs that are not the harness's own.
   */
  launcher?: string;
  /**
   * Whether the command is killed when the harness dies, also by SIGKILL: on Linux, where there is util-linux's `setpriv`.
   * For programs that would run for ever or for long; what a launcher starts ends with the harness anyway.
   */
  endsWithHarness?: boolean;
  /** Stops the process when it aborts; where it already has, none is started, and its reason is thrown. */
  signal?: AbortSignal;
  /** What the process is stopped by; SIGTERM by default. */
  stopSignal?: Deno.Signal;
}

/** A process that is being killed may start another at that moment: how often they are looked for. */
const killAgainMs = 20;

/**
 * Has the kernel kill the command, which follows, when the thread that started it ends (`PR_SET_PDEATHSIG`): Deno starts
 * processes from the thread that runs the program.
 */
const untilDeath = [
  "/bin/sh",
  "-c",
  // The shell in the end says that there is no such command as it does without all this.
  "setpriv --pdeathsig KILL true 2>/dev/null && " +
  `exec setpriv --pdeathsig KILL "$0" -c 'exec "$@"' "$0" "$@"; exec "$@"`,
  "/bin/sh",
];

/**
 * Starts a command in its own process group, so that stopping it stops all its children, and a Ctrl-C in the terminal
 * reaches only the harness. A shell opens the log and is replaced by the command, so the output of a measured process
 * never passes through the harness.
 *
 * @throws {Deno.errors.NotFound} when `cwd` does not exist.
 */
export function startProcess(command: string[], options: ProcessOptions): Process {
  const { launcher, logPath, endsWithHarness = false, stopSignal = "SIGTERM" } = options;
  options.signal?.throwIfAborted();
  const above = launcher !== undefined ? [launcher] : endsWithHarness ? untilDeath : [];
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", 'log=$1; shift; exec "$@" >>"$log" 2>&1', "sh", logPath, ...above, ...command],
    stdin: "null",
    stdout: "null",
    stderr: "null",
    detached: true,
    cwd: options.cwd,
    env: options.env,
    clearEnv: options.clearEnv,
  }).spawn();
  const root: ProcessRoot = { pid: child.pid, hasLauncher: launcher !== undefined };
  let exit: ExitStatus | undefined;
  const status = child.status.then(({ code, signal }) => {
    exit = { code, signal };
    options.signal?.removeEventListener("abort", abort);
    // Kills what the process left behind in its group now, because its id may be reused later.
    signalGroup(child.pid, "SIGKILL");
    return exit;
  });
  const stop: Process["stop"] = async ({ signal = stopSignal, timeoutMs = 10_000 } = {}) => {
    if (exit !== undefined) return exit;
    if (signal !== "SIGKILL") {
      signalGroup(child.pid, signal);
      // A frozen process reacts to SIGKILL only.
      thaw(root);
      if (await endsWithin(status, timeoutMs)) return await status;
    }
    do kill(root); while (!await endsWithin(status, killAgainMs));
    return await status;
  };
  const abort = () => void stop();
  options.signal?.addEventListener("abort", abort);
  return {
    ...root,
    logPath,
    status,
    exited: () => exit,
    stop,
    [Symbol.asyncDispose]: async () => void await stop(),
  };
}

/** Tells whether a promise resolves within a time. */
export async function endsWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs a command to its end; it is killed where the harness is.
 *
 * @throws the reason of `signal` when that aborts.
 */
export async function runProcess(command: string[], options: ProcessOptions): Promise<ExitStatus> {
  const status = await startProcess(command, { ...options, endsWithHarness: true }).status;
  options.signal?.throwIfAborted();
  return status;
}

/**
 * Runs a command that must exit with 0; `cannot` begins the error's message.
 *
 * @throws {BenchError} with the command, how it ended and the end of its log.
 * @throws the reason of `options.signal` when that aborts.
 */
export async function runOrThrow(
  cannot: string,
  command: string[],
  options: ProcessOptions,
): Promise<void> {
  const exit = await runProcess(command, options);
  if (exit.code === 0) return;
  throw new BenchError(
    `${cannot}: \`${command.join(" ")}\` ended with ${describeExit(exit)}, expected 0`,
    { help: `The end of ${options.logPath}:\n${await logTail(options.logPath)}` },
  );
}

/**
 * A failure that a person can act on. Its message reads
 * `Cannot <verb> "<thing>": <what is>, expected <what should be>`, its help says what to do next,
 * on lines of its own: the tail of a log, the command that installs what is missing.
 */
export class BenchError extends Error {
  readonly help: string | undefined;

  constructor(message: string, options: { help?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "BenchError";
    this.help = options.help;
  }
}

/** A failure of what measures, not of what is measured: it ends the run, and is nobody's result. */
export class RunBroken extends BenchError {}

/** Returns the message of anything that was thrown, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Gives the errors in what was thrown, in the order in which they were: a failure, and then the failures to
 * dispose of what was in use, which JavaScript wraps around it.
 */
export function* errorsIn(thrown: unknown): Generator<unknown> {
  if (!(thrown instanceof SuppressedError)) return yield thrown;
  yield* errorsIn(thrown.suppressed);
  yield* errorsIn(thrown.error);
}

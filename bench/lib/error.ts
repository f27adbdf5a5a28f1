/**
 * A failure that a person can act on. Its message is `Cannot <verb> "<thing>": <what is>, expected <what should be>`,
 * its help says what to do next, on lines of its own: the tail of a log, the command that installs what is missing.
 */
export class BenchError extends Error {
  readonly help: string | undefined;

  constructor(message: string, options: { help?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "BenchError";
    this.help = options.help;
  }
}

/** A failure of the harness, not of an implementation: it ends the run and is in no result. */
export class RunBroken extends BenchError {}

/** What the system says where it is full, or may not be used: that is of this machine, and no bug. */
const codesOfSystem = ["EACCES", "EDQUOT", "EIO", "EMFILE", "ENFILE", "ENOSPC", "EROFS"];

/** Returns a failure of the system, such as a full disk, as one of the harness; any other as it is. */
export function asBroken(error: unknown): unknown {
  const { code } = error instanceof Error ? error as { code?: unknown } : {};
  if (error instanceof BenchError || !codesOfSystem.some((it) => it === code)) return error;
  const help = "Free disk space, or check this user's rights and limit of open files.";
  return new RunBroken(`Cannot go on: ${messageOf(error)}`, { help, cause: error });
}

/** An interruption or a failure of which something is kept: its help says what, and how to go on. */
export class Kept extends BenchError {}

/** Returns the message of any thrown value, without a stack; its name where it has none, as of an `AggregateError`. */
export function messageOf(error: unknown): string {
  return (error instanceof Error && error.message) || String(error);
}

/**
 * Returns the errors in a thrown value, in the order in which they occurred: a failure, then failures of disposal,
 * which JavaScript wraps around it.
 */
export function* errorsIn(thrown: unknown): Generator<unknown> {
  if (!(thrown instanceof SuppressedError)) return yield thrown;
  yield* errorsIn(thrown.suppressed);
  yield* errorsIn(thrown.error);
}

/**
 * Returns the error in a thrown value that tells the most: the first, because others may follow from it; a failure of the
 * harness before one of an implementation, whose server may have ended because its database was lost.
 */
export function failureOf(thrown: unknown): unknown {
  const all = [...errorsIn(thrown)].map(asBroken);
  const [first] = all;
  if (!(first instanceof BenchError) || first instanceof Kept) return first;
  return all.find((error) => error instanceof RunBroken) ?? first;
}

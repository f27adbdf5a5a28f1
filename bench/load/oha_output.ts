/**
 * Reads oha's output. The only module that knows oha's key names. Its summary is hardly used, because it counts
 * errors as requests, calls status 500 a success, and exits with 0 when nothing answered.
 */
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { sum } from "../lib/sum.ts";
import { BenchError, messageOf } from "../lib/error.ts";

/** One row for each answer, a column for each fact. */
export interface ResponseColumns {
  startSeconds: Float64Array;
  endSeconds: Float64Array;
  status: Uint16Array;
  /** Length of the body as received, without headers. */
  bodyBytes: Uint32Array;
  /** CRC-32 (IEEE 802.3, as in gzip) of the body as received; 0 for an empty one. */
  bodyCrc32: Uint32Array;
  /** The line of the file of requests that was sent, counted from 0. */
  line: Uint32Array;
  /** When each was due, in a load at a fixed rate; see {@linkcode dueTimes}. */
  dueSeconds?: Float64Array;
}

const counts = z.record(z.string(), z.number().int().nonnegative());
const summarySchema = z.object({
  summary: z.object({ total: z.number().positive() }),
  statusCodeDistribution: counts,
  errorDistribution: counts,
});

/** The part of oha's summary that is used. */
interface Summary {
  durationSeconds: number;
  answered: number;
  errors: Record<string, number>;
}

/**
 * Parses the JSON that oha 1.16 writes. Requests that it aborted at the deadline of a load are neither answered nor failed.
 *
 * @throws {BenchError} when it is no JSON, or that lists each key that is missing or of another type.
 */
export function parseSummary(text: string): Summary {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new BenchError(
      `Cannot parse the summary of oha: ${messageOf(error)}, expected JSON`,
      { cause: error },
    );
  }
  const parsed = summarySchema.safeParse(json);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) =>
      `${path.join(".")}: ${message}`
    );
    throw new BenchError(
      `Cannot parse the summary of oha: ${problems.join("; ")}, expected that of oha 1.16`,
    );
  }
  const errors: Record<string, number> = {};
  for (const [message, count] of Object.entries(parsed.data.errorDistribution)) {
    if (message === "aborted due to deadline") continue;
    const name = failureClass(message);
    errors[name] = (errors[name] ?? 0) + count;
  }
  const statusCounts = Object.values(parsed.data.statusCodeDistribution);
  return {
    durationSeconds: parsed.data.summary.total,
    answered: sum(statusCounts),
    errors,
  };
}

/** Returns the number of requests that were neither answered nor aborted at the deadline. */
export function countFailed({ errors }: Pick<Summary, "errors">): number {
  return sum(Object.values(errors));
}

const failureClasses: [pattern: RegExp, name: string][] = [
  [/^timeout$/, "timeout"],
  [/^Connection refused/, "connection-refused"],
  // A worker that gets this error gives up, and its share of the requests is never sent.
  [/^Too many open files/, "too-many-open-files"],
  // Of the operating system, then of hyper.
  [/^(Connection reset by peer|Broken pipe)/, "connection-closed"],
  [
    /^(connection closed|connection error|channel closed|operation was canceled)/,
    "connection-closed",
  ],
  [/^error reading a body from connection/, "connection-closed"],
];

/** Returns a stable class for oha's message about an unanswered request. */
export function failureClass(message: string): string {
  return failureClasses.find(([pattern]) => pattern.test(message))?.[1] ?? `other: ${message}`;
}

/**
 * Reads the rows of oha's SQLite database, which has answered requests only, about 40 bytes a row.
 *
 * @throws {BenchError} when it has more or fewer rows than the summary says.
 */
export function readResponses(
  databasePath: string,
  { answered, errors }: Pick<Summary, "answered" | "errors">,
  ratePerSecond?: number,
): ResponseColumns {
  using database = new DatabaseSync(databasePath, { readOnly: true });
  const columns = {
    startSeconds: new Float64Array(answered),
    endSeconds: new Float64Array(answered),
    status: new Uint16Array(answered),
    bodyBytes: new Uint32Array(answered),
    bodyCrc32: new Uint32Array(answered),
    line: new Uint32Array(answered),
  };
  const queuedSeconds = new Float64Array(ratePerSecond === undefined ? 0 : answered);
  const rows = database.prepare(
    `SELECT start, start_latency_correction AS queued, end, status, len_bytes, body_crc32, request_line
     FROM oha ORDER BY end`,
  );
  let index = 0;
  for (const row of rows.iterate()) {
    columns.startSeconds[index] = Number(row.start);
    columns.endSeconds[index] = Number(row.end);
    columns.status[index] = Number(row.status);
    columns.bodyBytes[index] = Number(row.len_bytes);
    columns.bodyCrc32[index] = Number(row.body_crc32);
    columns.line[index] = Number(row.request_line);
    queuedSeconds[index] = Number(row.queued);
    index++;
  }
  if (index !== answered) {
    throw new BenchError(
      `Cannot read "${databasePath}": it holds ${index} answers, expected ${answered} as in the summary`,
    );
  }
  if (ratePerSecond === undefined) return columns;
  return {
    ...columns,
    dueSeconds: dueTimes(queuedSeconds, ratePerSecond, countFailed({ errors })),
  };
}

/**
 * Returns when each request was due, given when oha queued it: request number i was due at i / rate. oha's corrected
 * start is the time of queueing, which is late whenever the machine is too busy to run oha's timer, and so hides part
 * of the delay (coordinated omission).
 *
 * The `unanswered` requests left no row, so a row's number is its rank plus the number of requests missing before it.
 * No request is queued early, so that number never exceeds the time of queueing times the rate: the smallest distance
 * to that bound, over this row and all later ones, limits how many are missing.
 */
export function dueTimes(
  queuedSeconds: Float64Array,
  ratePerSecond: number,
  unanswered: number,
): Float64Array {
  const order = Uint32Array.from(queuedSeconds.keys())
    .sort((a, b) => queuedSeconds[a]! - queuedSeconds[b]!);
  const due = new Float64Array(queuedSeconds.length);
  let missing = unanswered;
  for (let rank = order.length - 1; rank >= 0; rank--) {
    const row = order[rank]!;
    // Clocks have nanoseconds: without the addend, a request on time could seem early.
    const highest = Math.floor(queuedSeconds[row]! * ratePerSecond + 0.001);
    missing = Math.max(0, Math.min(missing, highest - rank));
    due[row] = (rank + missing) / ratePerSecond;
  }
  return due;
}

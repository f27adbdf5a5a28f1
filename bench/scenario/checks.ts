/** Checks that several contracts share, and helpers for checks. */
import { delay } from "@std/async";
import { countLines, lastLinesAfter } from "../lib/log_lines.ts";
import { formatInteger } from "../lib/format_integer.ts";
import {
  type Answer,
  type Failure,
  overConnections,
  request,
  type RequestOptions,
} from "../lib/http_client.ts";
import { describeExit, endsWithin } from "../lib/process.ts";
import type { Problem } from "../results/result_schema.ts";
import type { CheckOptions, Target } from "./scenario.ts";

export type Reply = Answer | Failure;

/** The problem that a check found; undefined if it passed. */
export type Found = Problem | undefined;

/** How many checks {@linkcode each} runs at a time. */
const checksAtOnce = 8;

/** How many requests a contract sends at once. */
export const burstSize = 64;

/** The server no longer listens: further checks would find nothing new. */
export class TargetGone extends Error {
  constructor(readonly sent: string) {
    super("connection refused");
    this.name = "TargetGone";
  }

  /** The problem to report. */
  get problem(): Problem {
    const { sent, message: came } = this;
    return { check: "server listens", sent, came, expected: "an answer" };
  }
}

/** @throws {TargetGone} when nothing listens. */
export function requireListening(reply: Reply, sent: string): Reply {
  if (reply.kind === "failure" && reply.reason === "connection refused") throw new TargetGone(sent);
  return reply;
}

/** Checks that belong together; returns what each found. */
export type Step = () => Promise<Found[]>;

/**
 * Runs the checks of a contract in order, and at the end that of the log; returns every problem. Ends early at a server
 * that does not listen or does not answer the first request: every further check would wait for its timeout.
 *
 * @param client Counts the requests of the steps. The first step sends one only.
 */
export async function runSteps(
  target: Target,
  client: { readonly requests: number },
  steps: Step[],
  { report }: Pick<CheckOptions, "report">,
): Promise<Problem[]> {
  const linesBefore = await countLines(target.process.logPath);
  const found: Found[] = [];
  const all = [...steps, async () => [await verifyLog(target, linesBefore, client.requests)]];
  try {
    for (const [index, step] of all.entries()) {
      report.progress("verify", index, all.length);
      found.push(...await step());
      if (found[0]?.came.startsWith("no answer")) break;
    }
  } catch (error) {
    if (!(error instanceof TargetGone)) throw error;
    found.push(error.problem);
  }
  report.progress("verify", all.length, all.length);
  return collapse(found);
}

/** Which statuses are right: one, some, or those of a kind. */
export type RightStatus =
  | number
  | readonly number[]
  | { text: string; is(status: number): boolean };

/** Returns a problem if a reply's status differs from the contract's. */
export function judgeStatus(check: string, sent: string, reply: Reply, right: RightStatus): Found {
  const { text: expected, is } = describeRight(right);
  if (reply.kind === "failure") {
    const came = reply.reason === "timed out" ? "no answer came within 10 s" : reply.reason;
    return { check, sent, came, expected: `status ${expected}` };
  }
  if (is(reply.status)) return undefined;
  // The body of a server's own error names its cause.
  const shown = excerpt(reply.body, 0, reply.status >= 500 ? 300 : undefined);
  const body = reply.body.length === 0 ? "" : `, body: ${shown}`;
  return { check, sent, came: `status is ${reply.status}${body}`, expected };
}

function describeRight(right: RightStatus) {
  if (typeof right === "object" && "is" in right) return right;
  const statuses = [right].flat();
  return { text: statuses.join(" or "), is: (status: number) => statuses.includes(status) };
}

/** Returns a problem if a reply's media type differs; parameters may follow it. */
export function judgeType(check: string, sent: string, reply: Answer, expected: string): Found {
  const type = reply.headers["content-type"];
  if (type?.replace(/\s*;.*$/, "").toLowerCase() === expected) return undefined;
  return { check, sent, came: `content-type is ${type ?? "absent"}`, expected };
}

/** Tells whether a body is these bytes, as text would not: a byte order mark is lost in it. */
export function isBody(body: Uint8Array, expected: Uint8Array): boolean {
  return body.length === expected.length && expected.every((byte, at) => byte === body[at]);
}

/** What a whole answer has to be. */
export interface RightAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** Returns a problem if a reply has another status, media type or body. */
export function judgeAnswer(
  check: string,
  sent: string,
  reply: Reply,
  { status, contentType, body }: RightAnswer,
): Found {
  const wrongStatus = judgeStatus(check, sent, reply, status);
  if (wrongStatus !== undefined || reply.kind === "failure") return wrongStatus;
  const wrongType = judgeType(check, sent, reply, contentType);
  if (wrongType !== undefined) return wrongType;
  if (isBody(reply.body, new TextEncoder().encode(body))) return undefined;
  return { check, sent, came: `body is ${excerpt(reply.body, 0)}`, expected: body };
}

/** Returns a problem if a reply is not the expected error, or shows where in its program the server failed. */
export function judgeServerError(...asked: Parameters<typeof judgeStatus>): Found {
  const [check, sent, reply] = asked;
  const problem = judgeStatus(...asked);
  if (problem !== undefined || reply.kind === "failure") return problem;
  const trace = stackTraceIn(reply.body);
  if (trace === undefined) return undefined;
  return { check, sent, came: `the body shows "${trace}"`, expected: "no stack trace" };
}

/** How a file of a program ends. */
const sourceFile = /\.(?:c?js|cs|erl|exs?|fs|go|java|jsx|kt|mjs|php|py|rb|rs|scala|swift|tsx?)/;
/** How languages write a line of a file: `main.go:12`, `Main.cs:line 12`, `index.php(12)`, `main.erl"},{line,12}`. */
const lineOfFile = /(?::|:line |\(| on line |"?, line |"\},\{line,)\d+/;
const stackTrace = new RegExp(
  `^\\s+at \\S.*|panicked at.*|${sourceFile.source}${lineOfFile.source}.*|Traceback .*`,
  "m",
);

/** Returns the part of a body that shows where in its program a server failed; undefined where there is none. */
function stackTraceIn(body: Uint8Array): string | undefined {
  return new TextDecoder().decode(body).match(stackTrace)?.[0];
}

/** Waits, for a second at most, until it is known how a server ended that no longer listens: its sockets close first. */
export async function untilEnded({ process }: Target): Promise<void> {
  await endsWithin(process.status, 1_000);
}

/** Returns a problem if a server has ended. */
export function judgeAlive({ process }: Target, check: string, sent: string): Found {
  const exit = process.exited();
  if (exit === undefined) return undefined;
  const came = `the process has ended with ${describeExit(exit)}`;
  return { check, sent, came, expected: "it to live" };
}

/** Checks that nothing is found at some paths. */
export function verifyAbsent(
  paths: string[],
  ask: (path: string) => Promise<Reply>,
): Promise<Found[]> {
  return each(
    paths,
    async (path) => judgeStatus(`path ${path}`, `GET ${path}`, await ask(path), 404),
  );
}

/** Checks that the answer to a client that accepts compression is not compressed. */
export function judgeEncoding(sent: string, reply: Reply): Found {
  const encoding = reply.kind === "answer" ? reply.headers["content-encoding"] : undefined;
  if (encoding === undefined) return undefined;
  const came = `content-encoding is ${encoding}`;
  return { check: "no compression", sent, came, expected: "none" };
}

/** Sends two requests on one connection; `judge` checks both answers. */
export async function verifyKeepAlive(
  { url }: Target,
  path: string,
  options: Omit<RequestOptions, "agent">,
  judge: (check: string, sent: string, reply: Reply) => Found,
): Promise<Found[]> {
  const check = "keep-alive";
  const sent = `${options.method ?? "GET"} ${path} twice on one connection`;
  const [first, second] = await overConnections(1, async (agent) => {
    const ask = () => request(url + path, { ...options, agent });
    return [await ask(), await ask()] as const;
  });
  const found = [judge(check, sent, first), judge(check, sent, second)];
  if (second.kind === "answer" && !second.reusedConnection) {
    const came = "the connection was closed after the first answer";
    found.push({ check, sent, came, expected: "both answers on it" });
  }
  return found;
}

/** Checks that requests do not log a line each, given the number of lines before them. */
async function verifyLog(
  { process }: Target,
  linesBefore: number,
  requests: number,
): Promise<Found> {
  // A log line may reach the file after the answer.
  await delay(100);
  const lines = await countLines(process.logPath) - linesBefore;
  if (lines < requests / 10) return undefined;
  const [last] = await lastLinesAfter(process.logPath, linesBefore, 1);
  return {
    check: "no log line per request",
    sent: `${formatInteger(requests)} requests`,
    came: `the log grew by ${formatInteger(lines)} lines, the last one: ${last?.slice(0, 200)}`,
    expected: `less than ${formatInteger(Math.ceil(requests / 10))}`,
  };
}

/** Runs a check for each item, a few at a time, and returns the problems in the order of the items. */
export async function each<T>(items: T[], check: (item: T) => Promise<Found>): Promise<Found[]> {
  const found: Found[] = [];
  const waiting = items.entries();
  const workers = Array.from({ length: checksAtOnce }, async () => {
    for (const [index, item] of waiting) found[index] = await check(item);
  });
  await allEnded(workers);
  return found;
}

/**
 * Waits for requests that run at the same time.
 *
 * @throws the first failure, when all have ended, so that nothing continues unnoticed.
 */
export async function allEnded<Running extends readonly unknown[] | []>(running: Running) {
  await Promise.allSettled(running);
  return await Promise.all(running);
}

/** Keeps the first problem of each check, with the number of occurrences. */
export function collapse(found: Found[]): Problem[] {
  const problems = found.filter((problem) => problem !== undefined);
  return Object.values(Object.groupBy(problems, ({ check }) => check)).flatMap((same = []) => {
    const [first] = same;
    if (first === undefined || same.length === 1) return same;
    return [{ ...first, came: `${first.came} (and ${formatInteger(same.length - 1)} more)` }];
  });
}

/** Returns the part of a body around a position, with so many bytes from there on. */
export function excerpt(body: Uint8Array, at: number, length = 40): string {
  const from = Math.max(0, at - 20);
  const to = Math.min(body.length, at + length);
  const text = new TextDecoder().decode(body.subarray(from, to));
  return `${from > 0 ? "…" : ""}${text}${to < body.length ? "…" : ""}` || "(nothing)";
}

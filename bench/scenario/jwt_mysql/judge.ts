/**
 * Judge: was each answer of a load right for its request at that moment? Takes the answers, the plan of the requests and the
 * history of the rows; returns which answers are right, and of what kind the others are.
 */
import type { Problem } from "../../results/result_schema.ts";
import { type BodyDigest, describeDigest, digestAt } from "../body_digest.ts";
import type { RecordHistory } from "../record_history.ts";
import type { Answers, Witnessed } from "../scenario.ts";
import { createWitness, type Witness } from "../witnessed.ts";
import { type Kind, kinds, type RequestPlan } from "./request_plan.ts";

/** What the judge knows of the requests. */
export interface JudgeContext {
  plan: RequestPlan;
  emails: readonly string[];
  unknownEmails: readonly string[];
  history: RecordHistory;
  /** How far the clock of the answers may be from that of the changes, in milliseconds. */
  toleranceMs: number;
  /** The wall clock minus `performance.now()`: tokens expire by the wall clock. */
  wallClockMs: number;
}

/** One answer. Times are widened by the tolerance. */
interface Answer {
  index: number;
  line: number;
  kind: Kind;
  user: number;
  status: number;
  body: BodyDigest;
  fromMs: number;
  toMs: number;
  /** When the token expires. */
  expiresMs: number;
}

/**
 * From `exp` on, for this time, a token may be accepted or refused: by RFC 7519 it expires on that second, in the rust
 * implementation's library one second later, and a server's clock may have whole seconds.
 */
const eitherMs = 2_000;

/** Judges every answer; see `judge` of a scenario. */
export function judgeAnswers(answers: Answers, context: JudgeContext): Witnessed {
  const { plan, toleranceMs, wallClockMs } = context;
  const witness = createWitness(answers);
  for (let index = 0; index < answers.line.length; index++) {
    const line = answers.line[index]!;
    judgeOne(
      {
        index,
        line,
        kind: kinds[plan.kind[line]!]!,
        user: plan.user[line]!,
        status: answers.status[index]!,
        body: digestAt(answers, index),
        fromMs: answers.startMs[index]! - toleranceMs,
        toMs: answers.endMs[index]! + toleranceMs,
        expiresMs: plan.exp[line]! * 1000 - wallClockMs,
      },
      context,
      witness,
    );
  }
  return witness.finish();
}

function judgeOne(answer: Answer, context: JudgeContext, witness: Witness): void {
  const { index, kind, status } = answer;
  if (kind === "unknown user") {
    witness.statement();
    if (status === 404) return witness.rightlyRefused(index);
    return wrongStatus(answer, context, witness, status === 200 ? "not-refused" : undefined, 404);
  }
  const isRefused = status === 401;
  if (mustRefuse(answer)) {
    if (isRefused) return witness.rightlyRefused(index);
    return wrongStatus(answer, context, witness, status === 200 ? "not-refused" : undefined, 401);
  }
  if (isRefused && answer.toMs >= answer.expiresMs) return witness.rightlyRefused(index);
  witness.statement();
  if (status === 200) return judgeRecord(answer, context, witness);
  const isRefusal = isRefused || status === 404;
  wrongStatus(answer, context, witness, isRefusal ? "refused" : undefined, 200);
}

function mustRefuse({ kind, fromMs, expiresMs }: Answer): boolean {
  const isForged = kind !== "valid" && kind !== "expired";
  return isForged || fromMs >= expiresMs + eitherMs;
}

function judgeRecord(answer: Answer, context: JudgeContext, witness: Witness): void {
  const { index, user, body, fromMs, toMs } = answer;
  const { history, emails, toleranceMs } = context;
  const is = history.compare(user, body, fromMs, toMs);
  if (is.kind === "right") return witness.right(index);
  const wrong = (kind: string, came: string, expected: string) =>
    witness.wrong(kind, () => ({ sent: describeSent(answer, context), came, expected }));
  if (is.kind === "stale") {
    const { column, acknowledgedMs } = is.version;
    const late = Math.round(fromMs + toleranceMs - acknowledgedMs);
    const came = `its record as it was before "${column}" had been changed, ${late} ms after that`;
    return wrong("stale-record", came, "the record with that change");
  }
  if (is.kind === "early") {
    const early = Math.round(is.version.sentMs - (toMs - toleranceMs));
    const came = `its record as it was only ${early} ms later, with "${is.version.column}" changed`;
    return wrong("early-record", came, "the record before that change, or clocks that agree");
  }
  const owner = history.ownerOf(body);
  if (owner !== undefined && owner !== user) {
    return wrong("another-record", `the record of "${emails[owner]}"`, "the record of that user");
  }
  const expected = `its record, ${describeDigest(history.latest(user))}`;
  wrong("wrong-body", `a body of ${describeDigest(body)}, which is no user's record`, expected);
}

function wrongStatus(
  answer: Answer,
  context: JudgeContext,
  witness: Witness,
  kind: string | undefined,
  expected: number,
): void {
  const { status } = answer;
  witness.wrong(kind ?? `status-${status}`, () => ({
    sent: describeSent(answer, context),
    came: `status is ${status}`,
    expected: `status ${expected}`,
  }));
}

/** Says what is the matter with the token of a line. */
const matters: Record<Kind, string> = {
  "valid": "",
  "expired": "",
  "unknown user": ", whom the table does not have",
  "signature changed": " with a changed signature",
  "signed with another key": " signed with another key",
  "alg none": " with alg none",
  "payload changed under its signature": " under the signature of another user's",
};

function describeSent(
  answer: Answer,
  { emails, unknownEmails, toleranceMs }: JudgeContext,
): Problem["sent"] {
  const { kind, user, line, expiresMs, fromMs } = answer;
  const email = (kind === "unknown user" ? unknownEmails : emails)[user];
  const seconds = (expiresMs - fromMs - toleranceMs) / 1000;
  const expiry = seconds < 0
    ? ` that had expired ${(-seconds).toFixed(1)} s before`
    : seconds < 10
    ? ` that expires ${seconds.toFixed(1)} s later`
    : "";
  return `GET / with a token of "${email}"${matters[kind]}${expiry}, line ${line}`;
}

/** Judge: is each answer of a load what the upstream had, at that moment, under the id that was asked for? */
import { isMissing } from "../../upstream/item.ts";
import { describeDigest, digestAt } from "../body_digest.ts";
import type { RecordHistory } from "../record_history.ts";
import type { Answers, Witnessed } from "../scenario.ts";
import { createWitness, type Witness } from "../witnessed.ts";
import { pathOf } from "./client.ts";

/** What the judge knows of the requests. */
export interface JudgeContext {
  /** The ids that loads ask for. */
  ids: readonly number[];
  /** For each line of the requests, the place of its id in that list. */
  places: Uint32Array;
  /** Of these ids, by their places. */
  history: RecordHistory;
  /** How far the clock of the answers may be from that of the changes, in milliseconds. */
  toleranceMs: number;
}

/** Judges every answer; see `judge` of a scenario. */
export function judgeAnswers(answers: Answers, context: JudgeContext): Witnessed {
  const { ids, places } = context;
  const witness = createWitness(answers);
  for (let index = 0; index < answers.line.length; index++) {
    const place = places[answers.line[index]!]!;
    const id = ids[place]!;
    const status = answers.status[index]!;
    const right = isMissing(id) ? 404 : 200;
    if (status === right) judgeBody({ answers, index, place }, context, witness);
    else witness.wrongStatus(`GET ${pathOf(id)}`, status, right);
  }
  return witness.finish();
}

interface AnswerOfPlace {
  answers: Answers;
  index: number;
  place: number;
}

function judgeBody(
  { answers, index, place }: AnswerOfPlace,
  { ids, history, toleranceMs }: JudgeContext,
  witness: Witness,
): void {
  const body = digestAt(answers, index);
  const [startMs, endMs] = [answers.startMs[index]!, answers.endMs[index]!];
  const is = history.compare(place, body, startMs - toleranceMs, endMs + toleranceMs);
  if (is.kind === "right") {
    if (answers.status[index] === 404) witness.rightlyRefused(index);
    else witness.right(index);
    return;
  }
  const wrong = (kind: string, came: string, expected: string) =>
    witness.wrong(kind, () => ({ sent: `GET ${pathOf(ids[place]!)}`, came, expected }));
  if (is.kind === "stale") {
    const late = Math.round(startMs - is.version.acknowledgedMs);
    const came = `what the upstream had until ${late} ms before the request`;
    return wrong("stale-item", came, "what it has: each request is one call");
  }
  if (is.kind === "early") {
    const early = Math.round(is.version.sentMs - endMs);
    const came = `what the upstream had only ${early} ms later`;
    return wrong("early-item", came, "what it had, or clocks that agree");
  }
  const other = history.ownerOf(body);
  const expected = `the upstream's, now ${describeDigest(history.latest(place))}`;
  if (other === undefined) {
    return wrong("wrong-body", `a body of ${describeDigest(body)}`, expected);
  }
  if (other === place) {
    return wrong("stale-item", "what the upstream had before the load", expected);
  }
  wrong("another-item", `the body of item ${ids[other]}`, expected);
}

/** Judge: which answers of a warm-up and of a burst are right? By their bytes and by their time. */
import { bodyDigest, describeDigest, digestAt, isSameDigest } from "../body_digest.ts";
import { delaySpread } from "../../results/burst.ts";
import type { Answers, BurstAnswer, BurstPart, Witnessed } from "../scenario.ts";
import { createWitness } from "../witnessed.ts";
import { bodyOf, delayOf, judgeTime, pathOf } from "./answer.ts";

/** Judges every answer of a warm-up, given the delay that each line asks for. */
export function judge(answers: Answers, delays: number[]): Witnessed {
  const witness = createWitness(answers);
  for (const [index, line] of answers.line.entries()) {
    const ms = delays[line]!;
    const sent = `GET ${pathOf(ms)}`;
    const status = answers.status[index]!;
    const came = digestAt(answers, index);
    const body = bodyOf(ms);
    const expected = bodyDigest(new TextEncoder().encode(body));
    const time = judgeTime(ms, answers.endMs[index]! - answers.startMs[index]!);
    if (status !== 200) {
      witness.wrongStatus(sent, status, 200);
    } else if (!isSameDigest(came, expected)) {
      witness.wrong("wrong-body", () => ({
        sent,
        came: `a body of ${describeDigest(came)}`,
        expected: `"${body}", ${describeDigest(expected)}`,
      }));
    } else if (time !== undefined) {
      witness.wrong("early", () => time);
    } else {
      witness.right(index);
    }
  }
  return witness.finish();
}

/** Returns what users of a burst ask for, and how their answers are judged. */
export function createBurst(random: () => number): BurstPart {
  return {
    paths: (users, delaySeconds) =>
      Array.from(
        { length: users },
        () => pathOf(Math.round(1_000 * delaySeconds * (1 + delaySpread * (2 * random() - 1)))),
      ),
    judge: (path: string, { body, afterSeconds }: BurstAnswer) => {
      const ms = delayOf(path);
      const expected = bodyOf(ms);
      if (body !== expected) {
        const came = body === "" ? "an empty body" : `the body ${body}`;
        return { check: "wrong-body", sent: `GET ${path}`, came, expected };
      }
      const time = judgeTime(ms, 1_000 * afterSeconds);
      return time && { check: "early", ...time };
    },
  };
}

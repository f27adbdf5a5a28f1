/**
 * The scenario `delay`: a server answers after as many milliseconds as it is asked to wait. It needs no database and no
 * other service, so it shows what waiting costs by itself: threads, memory, and users who are turned away.
 */
import { crc32 } from "node:zlib";
import { join } from "@std/path";
import type {
  Answers,
  BurstAnswer,
  BurstPart,
  Means,
  PreparedScenario,
  RequestFile,
  Scenario,
  Witnessed,
} from "../scenario.ts";
import { createWitness, describeDigest } from "../witnessed.ts";
import { bodyOf, delayOf, judgeTime, pathOf } from "./answer.ts";
import { verifyAnswers } from "./answers.ts";
import { contract } from "./contract.ts";

export const scenario: Scenario = { contract, prepare: (means) => Promise.resolve(prepare(means)) };

/** Delays of warm-up requests, in milliseconds: short, so that they are many. */
const warmUpDelays = Array.from({ length: 10 }, (_, ms) => ms);
const warmUpLines = 1_000;

function prepare({ random, folder }: Means): PreparedScenario {
  let requests: RequestFile & { delays: number[] } | undefined;
  return {
    id: contract.id,
    path: pathOf(10),
    requestFile: async () => {
      if (requests === undefined) {
        const path = join(folder, "requests.jsonl");
        const delays = Array.from(
          { length: warmUpLines },
          () => warmUpDelays[Math.floor(random() * warmUpDelays.length)]!,
        );
        await Deno.writeTextFile(path, delays.map((ms) => `{"path":"${pathOf(ms)}"}\n`).join(""));
        requests = { path, lines: warmUpLines, nextLine: 0, delays };
      }
      return requests;
    },
    judge: (answers) => judge(answers, requests?.delays ?? []),
    burst: createBurst(random),
    verifyAnswers: (target, options) => verifyAnswers(target, random, options),
  };
}

/** Judges every answer of a warm-up. */
function judge(answers: Answers, delays: number[]): Witnessed {
  const witness = createWitness(answers);
  for (const [index, line] of answers.line.entries()) {
    const ms = delays[line]!;
    const sent = `GET ${pathOf(ms)}`;
    const status = answers.status[index]!;
    const came = { crc32: answers.bodyCrc32[index]!, bytes: answers.bodyBytes[index]! };
    const body = bodyOf(ms);
    const expected = { crc32: crc32(body), bytes: body.length };
    const time = judgeTime(ms, answers.endMs[index]! - answers.startMs[index]!);
    if (status !== 200) {
      witness.wrong(`status-${status}`, () => ({
        sent,
        came: `status is ${status}`,
        expected: "status 200",
      }));
    } else if (came.crc32 !== expected.crc32 || came.bytes !== expected.bytes) {
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

/** Users ask for delays within this share of the step's, so that no constant is right for all. */
const spread = 0.01;

function createBurst(random: () => number): BurstPart {
  return {
    paths: (users, delaySeconds) =>
      Array.from(
        { length: users },
        () => pathOf(Math.round(1_000 * delaySeconds * (1 + spread * (2 * random() - 1)))),
      ),
    judge: (path: string, { body, afterSeconds }: BurstAnswer) => {
      const ms = delayOf(path);
      const expected = bodyOf(ms);
      if (body !== expected) {
        const came = body === "" ? "an empty body" : `body is ${body}`;
        return { check: "wrong-body", sent: `GET ${path}`, came, expected };
      }
      const time = judgeTime(ms, 1_000 * afterSeconds);
      return time && { check: "early", ...time };
    },
  };
}

/**
 * The scenario `delay`: a server answers after as many milliseconds as it is asked to wait. It needs no database and no
 * other service, so it shows what waiting costs by itself: threads, memory, and users who are turned away.
 */
import { join } from "@std/path";
import type { Means, PreparedScenario, RequestFile, Scenario } from "../scenario.ts";
import { pathOf } from "./answer.ts";
import { verifyAnswers } from "./answers.ts";
import { contract } from "./contract.ts";
import { createBurst, judge } from "./judge.ts";

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

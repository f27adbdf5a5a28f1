/** Answers: does a server wait as long as it is asked to? Takes a running one; returns every problem, within seconds. */
import type { Problem } from "../../results/result_schema.ts";
import {
  allEnded,
  burstSize,
  each,
  type Found,
  judgeAnswer,
  judgeStatus,
  type Reply,
  runSteps,
  verifyAbsent,
  verifyKeepAlive,
} from "../checks.ts";
import { createClient, verifyEncoding } from "../client.ts";
import type { CheckOptions, Target } from "../scenario.ts";
import { bodyOf, judgeTime, pathOf } from "./answer.ts";

const delayMs = 250;
/** Of those at once: longer than a busy machine takes to answer all of them without waiting. */
const shortestMs = 300;
const longestMs = 800;

/** Paths that ask for nothing that one could wait for, which some parsers of numbers take for a delay. */
const malformed = [
  { check: "no number", path: "/delay/soon" },
  { check: "blank", path: "/delay/%20" },
  { check: "negative number", path: "/delay/-5" },
  { check: "fraction", path: "/delay/1.5" },
];

/** Checks a server; see `verifyAnswers` of a scenario. */
export function verifyAnswers(
  target: Target,
  random: () => number,
  options: CheckOptions,
): Promise<Problem[]> {
  const { signal } = options;
  const client = createClient(target.url, signal);
  const askRight = async (check: string, ms: number): Promise<Found> => {
    const beginMs = performance.now();
    const reply = await client.ask(pathOf(ms));
    const time = judgeTime(ms, performance.now() - beginMs);
    return judgeDelayed(check, ms, reply) ?? (time && { check, ...time });
  };
  return runSteps(target, client, [
    async () => [await askRight("right answer", delayMs)],
    async () => [await askRight("no delay", 0)],
    () => verifyAbsent(["/nope", "/delay/1/2"], client.ask),
    () =>
      each(
        malformed,
        async ({ check, path }) =>
          judgeStatus(check, `GET ${path}`, await client.ask(path), {
            text: "4xx",
            is: (status) => status >= 400 && status < 500,
          }),
      ),
    () => {
      const delays = Array.from(
        { length: burstSize },
        () => shortestMs + Math.floor((longestMs - shortestMs) * random()),
      );
      return allEnded(delays.map((ms) => askRight(`${burstSize} delays at once`, ms)));
    },
    async () => [await verifyEncoding(client, pathOf(0))],
    () =>
      verifyKeepAlive(
        target,
        pathOf(0),
        { signal },
        (check, _, reply) => judgeDelayed(check, 0, reply),
      ),
  ], options);
}

function judgeDelayed(check: string, ms: number, reply: Reply): Found {
  const right = { status: 200, contentType: "application/json", body: bodyOf(ms) };
  return judgeAnswer(check, `GET ${pathOf(ms)}`, reply, right);
}

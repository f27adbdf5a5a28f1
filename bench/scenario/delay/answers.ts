/** Answers: does a server wait as long as it is asked to? Takes a running one; returns every problem, within seconds. */
import { request } from "../../lib/http_client.ts";
import type { Problem } from "../../results/result_schema.ts";
import {
  allEnded,
  burstSize,
  excerpt,
  type Found,
  isBody,
  judgeEncoding,
  judgeStatus,
  judgeType,
  type Reply,
  requireListening,
  runSteps,
  verifyAbsent,
  verifyKeepAlive,
} from "../checks.ts";
import type { CheckOptions, Target } from "../scenario.ts";
import { bodyOf, judgeTime, pathOf } from "./answer.ts";

const delayMs = 250;
/** Of those at once: longer than a busy machine takes to answer all of them without waiting. */
const shortestMs = 300;
const longestMs = 800;

/** Checks a server; see `verifyAnswers` of a scenario. */
export function verifyAnswers(
  target: Target,
  random: () => number,
  options: CheckOptions,
): Promise<Problem[]> {
  const { signal } = options;
  const client = { requests: 0 };
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    client.requests++;
    const reply = await request(target.url + path, { headers, signal });
    return requireListening(reply, `GET ${path}`);
  };
  const askRight = async (check: string, ms: number): Promise<Found> => {
    const beginMs = performance.now();
    const reply = await ask(pathOf(ms));
    const time = judgeTime(ms, performance.now() - beginMs);
    return judgeAnswer(check, ms, reply) ?? (time && { check, ...time });
  };
  const accepting = `GET ${pathOf(0)} with accept-encoding: gzip, br`;
  return runSteps(target, client, [
    async () => [await askRight("right answer", delayMs)],
    async () => [await askRight("no delay", 0)],
    () => verifyAbsent(["/nope", "/delay/1/2"], ask),
    async () => [
      judgeStatus("no number", "GET /delay/soon", await ask("/delay/soon"), "4xx", isRefusal),
    ],
    () => {
      const delays = Array.from(
        { length: burstSize },
        () => shortestMs + Math.floor((longestMs - shortestMs) * random()),
      );
      return allEnded(delays.map((ms) => askRight(`${burstSize} delays at once`, ms)));
    },
    async () => [
      judgeEncoding(accepting, await ask(pathOf(0), { "accept-encoding": "gzip, br" })),
    ],
    () =>
      verifyKeepAlive(
        target,
        pathOf(0),
        { signal },
        (check, _, reply) => judgeAnswer(check, 0, reply),
      ),
  ], options);
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

function judgeAnswer(check: string, ms: number, reply: Reply): Found {
  const sent = `GET ${pathOf(ms)}`;
  const wrongStatus = judgeStatus(check, sent, reply, "200", (status) => status === 200);
  if (wrongStatus !== undefined || reply.kind === "failure") return wrongStatus;
  const wrongType = judgeType(check, sent, reply, "application/json");
  if (wrongType !== undefined) return wrongType;
  if (isBody(reply.body, new TextEncoder().encode(bodyOf(ms)))) return undefined;
  return { check, sent, came: `body is ${excerpt(reply.body, 0)}`, expected: bodyOf(ms) };
}

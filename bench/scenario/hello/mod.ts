/**
 * The scenario `hello`: `GET /hello` returns a constant text. It needs no database and no token, so it shows the
 * minimal cost of a request.
 */
import { crc32 } from "node:zlib";
import { join } from "@std/path";
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
import type {
  Answers,
  CheckOptions,
  Means,
  PreparedScenario,
  Scenario,
  Target,
  Witnessed,
} from "../scenario.ts";
import { createWitness, describeDigest } from "../witnessed.ts";
import { body, contract } from "./contract.ts";

export const scenario: Scenario = { contract, prepare: (means) => Promise.resolve(prepare(means)) };

const path = "/hello";
const bytes = new TextEncoder().encode(body);

const digest = { crc32: crc32(bytes), bytes: bytes.length };

function prepare({ folder }: Pick<Means, "folder">): PreparedScenario {
  return {
    id: contract.id,
    path,
    requestFile: async () => {
      const requestsPath = join(folder, "requests.jsonl");
      await Deno.writeTextFile(requestsPath, "{}\n");
      return { path: requestsPath, lines: 1, nextLine: 0 };
    },
    judge,
    probe: () => ({ path, header: "accept: text/plain", body: bytes }),
    verifyAnswers,
  };
}

/** Judges status and bytes of every answer; its media type is seen by {@linkcode verifyAnswers} only. */
function judge(answers: Answers): Witnessed {
  const witness = createWitness(answers);
  const sent = `GET ${path}`;
  for (const index of answers.line.keys()) {
    const status = answers.status[index]!;
    const came = { crc32: answers.bodyCrc32[index]!, bytes: answers.bodyBytes[index]! };
    if (status !== 200) {
      witness.wrong(`status-${status}`, () => ({
        sent,
        came: `status is ${status}`,
        expected: "status 200",
      }));
    } else if (came.crc32 !== digest.crc32 || came.bytes !== digest.bytes) {
      witness.wrong("wrong-body", () => ({
        sent,
        came: `a body of ${describeDigest(came)}`,
        expected: `"${body}", ${describeDigest(digest)}`,
      }));
    } else {
      witness.right(index);
    }
  }
  return witness.finish();
}

/** Checks the contract, the media type included, which the digests of a load's answers do not hold. */
function verifyAnswers(target: Target, options: CheckOptions): Promise<Problem[]> {
  const { signal } = options;
  const client = { requests: 0 };
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    client.requests++;
    const reply = await request(target.url + path, { headers, signal });
    return requireListening(reply, `GET ${path}`);
  };
  const get = `GET ${path}`;
  const askRight = async (check: string) => judgeAnswer(check, get, await ask(path));
  const accepting = `${get} with accept-encoding: gzip, br`;
  return runSteps(target, client, [
    async () => [await askRight("right answer")],
    () => verifyAbsent(["/nope", "/hello/world"], ask),
    () => {
      const check = `${burstSize} requests at once`;
      return allEnded(Array.from({ length: burstSize }, () => askRight(check)));
    },
    async () => [
      judgeEncoding(accepting, await ask(path, { "accept-encoding": "gzip, br" })),
    ],
    () => verifyKeepAlive(target, path, { signal }, judgeAnswer),
  ], options);
}

function judgeAnswer(check: string, sent: string, reply: Reply): Found {
  const wrongStatus = judgeStatus(check, sent, reply, "200", (status) => status === 200);
  if (wrongStatus !== undefined || reply.kind === "failure") return wrongStatus;
  const wrongType = judgeType(check, sent, reply, "text/plain");
  if (wrongType !== undefined) return wrongType;
  if (isBody(reply.body, bytes)) return undefined;
  const came = `body is ${excerpt(reply.body, 0)}`;
  return { check, sent, came, expected: body };
}

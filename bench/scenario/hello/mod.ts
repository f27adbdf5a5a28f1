/**
 * The scenario `hello`: `GET /hello` returns a constant text. It needs no database and no token, so it shows the
 * minimal cost of a request.
 */
import { crc32 } from "node:zlib";
import { join } from "@std/path";
import { countLines } from "../../lib/count_lines.ts";
import { request } from "../../lib/http_client.ts";
import type { Problem } from "../../results/result_schema.ts";
import {
  collapse,
  each,
  excerpt,
  type Found,
  isBody,
  judgeEncoding,
  judgeStatus,
  judgeType,
  type Reply,
  requireListening,
  TargetGone,
  verifyKeepAlive,
  verifyLog,
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
const burstSize = 64;

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
async function verifyAnswers(target: Target, { signal }: CheckOptions): Promise<Problem[]> {
  const linesBefore = await countLines(target.process.logPath);
  let requests = 0;
  const ask = async (sent: string, path: string, headers: Record<string, string> = {}) => {
    requests++;
    return requireListening(await request(target.url + path, { headers, signal }), sent);
  };
  const get = `GET ${path}`;
  try {
    const first = judgeAnswer("right answer", get, await ask(get, path));
    // With a server that answers nothing, every further check would wait for its timeout.
    if (first?.came.startsWith("no answer")) return [first];
    const others = await each([
      { check: "path /nope", other: "/nope" },
      { check: "path /hello/world", other: "/hello/world" },
    ], async ({ check, other }) => {
      const sent = `GET ${other}`;
      return judgeStatus(check, sent, await ask(sent, other), "404", (it) => it === 404);
    });
    const asked = Array.from({ length: burstSize }, () => ask(get, path));
    // All requests have ended before this continues, even if the server stops.
    await Promise.allSettled(asked);
    const check = `${burstSize} requests at once`;
    const burst = (await Promise.all(asked)).map((reply) => judgeAnswer(check, get, reply));
    const accepting = `${get} with accept-encoding: gzip, br`;
    const encoded = await ask(accepting, path, { "accept-encoding": "gzip, br" });
    return collapse([
      first,
      ...others,
      ...burst,
      judgeEncoding(accepting, encoded),
      ...await verifyKeepAlive(target, path, { signal }, judgeAnswer),
      await verifyLog(target, linesBefore, requests),
    ]);
  } catch (error) {
    if (!(error instanceof TargetGone)) throw error;
    return [error.problem];
  }
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

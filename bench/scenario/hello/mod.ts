/**
 * The scenario `hello`: `GET /hello` returns a constant text. It needs no database and no token, so it shows the
 * minimal cost of a request.
 */
import { join } from "@std/path";
import type { Problem } from "../../results/result_schema.ts";
import { bodyDigest, describeDigest, digestAt, isSameDigest } from "../body_digest.ts";
import {
  allEnded,
  burstSize,
  judgeAnswer,
  type RightAnswer,
  runSteps,
  verifyAbsent,
  verifyKeepAlive,
} from "../checks.ts";
import { createClient, verifyEncoding } from "../client.ts";
import type {
  Answers,
  CheckOptions,
  Means,
  PreparedScenario,
  Scenario,
  Target,
  Witnessed,
} from "../scenario.ts";
import { createWitness } from "../witnessed.ts";
import { body, contract } from "./contract.ts";

export const scenario: Scenario = { contract, prepare: (means) => Promise.resolve(prepare(means)) };

const path = "/hello";
const right: RightAnswer = { status: 200, contentType: "text/plain", body };
const bytes = new TextEncoder().encode(body);
const digest = bodyDigest(bytes);

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
    probe: () => Promise.resolve({ path, header: "accept: text/plain", body: bytes }),
    verifyAnswers,
  };
}

/** Judges status and bytes of every answer; its media type is seen by {@linkcode verifyAnswers} only. */
function judge(answers: Answers): Witnessed {
  const witness = createWitness(answers);
  const sent = `GET ${path}`;
  for (const index of answers.line.keys()) {
    const status = answers.status[index]!;
    const came = digestAt(answers, index);
    if (status !== right.status) {
      witness.wrongStatus(sent, status, right.status);
    } else if (!isSameDigest(came, digest)) {
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
  const client = createClient(target.url, signal);
  const get = `GET ${path}`;
  const askRight = async (check: string) => judgeAnswer(check, get, await client.ask(path), right);
  return runSteps(target, client, [
    async () => [await askRight("right answer")],
    () => verifyAbsent(["/nope", "/hello/world"], client.ask),
    () => {
      const check = `${burstSize} requests at once`;
      return allEnded(Array.from({ length: burstSize }, () => askRight(check)));
    },
    async () => [await verifyEncoding(client, path)],
    () =>
      verifyKeepAlive(
        target,
        path,
        { signal },
        (check, sent, reply) => judgeAnswer(check, sent, reply, right),
      ),
  ], options);
}

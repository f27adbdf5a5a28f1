/**
 * The scenario `notify`: each request is accepted at once, and passed on to another service, which takes its time. It shows
 * what a server does with work that comes faster than it can be done.
 */
import { join } from "@std/path";
import { BenchError } from "../../lib/error.ts";
import { idSource } from "../id_source.ts";
import type {
  Answers,
  Means,
  PreparedScenario,
  RequestFile,
  Scenario,
  Witnessed,
} from "../scenario.ts";
import { createWitness } from "../witnessed.ts";
import { verifyAnswers } from "./answers.ts";
import { pathOf } from "./client.ts";
import { contract } from "./contract.ts";
import { verifyFaults } from "./faults.ts";

export const scenario: Scenario = { contract, prepare: (means) => Promise.resolve(prepare(means)) };

function prepare({ upstreams, random, folder }: Means): PreparedScenario {
  if (upstreams === undefined) {
    throw new BenchError(`Cannot prepare "${contract.id}": there is no upstream, expected one`);
  }
  const freshId = idSource(random);
  let requests: (RequestFile & { ids: Uint32Array }) | undefined;
  return {
    id: contract.id,
    path: pathOf(freshId()),
    upstreams,
    requestFile: async (lines) => {
      if (requests === undefined || requests.lines < lines) {
        const path = join(folder, "requests.jsonl");
        const ids = Uint32Array.from({ length: lines }, freshId);
        await Deno.writeTextFile(path, [...ids].map(requestLine).join(""));
        requests = { path, lines, nextLine: 0, ids };
      }
      return requests;
    },
    idOfLine: (line) => requests!.ids[line]!,
    judge: (answers) => judge(answers, requests?.ids ?? new Uint32Array()),
    verifyAnswers: (target, options) =>
      verifyAnswers(target, upstreams[options.side ?? "subject"], freshId, options),
    verifyFaults: (target, options) =>
      verifyFaults(target, upstreams[options.side ?? "subject"], freshId, options),
  };
}

/** Judges status only: what became of a notification, the upstream counts. */
function judge(answers: Answers, ids: Uint32Array): Witnessed {
  const witness = createWitness(answers);
  for (const [index, line] of answers.line.entries()) {
    const status = answers.status[index]!;
    if (status === 202) witness.right(index);
    else witness.wrongStatus(`POST ${pathOf(ids[line]!)}`, status, 202);
  }
  return witness.finish();
}

function requestLine(id: number): string {
  return `{"method":"POST","path":"${pathOf(id)}"}\n`;
}

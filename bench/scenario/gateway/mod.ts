/**
 * The scenario `gateway`: each request is one call of another service, whose answer is passed on. It needs no database,
 * so it shows what waiting for a call costs: a server and an HTTP client in one program.
 */
import { join } from "@std/path";
import { BenchError } from "../../lib/error.ts";
import { bodyDigest } from "../body_digest.ts";
import { createRecordHistory } from "../record_history.ts";
import type { Means, PreparedScenario, RequestFile, Scenario } from "../scenario.ts";
import { verifyAnswers } from "./answers.ts";
import { startItemChanges } from "./changes.ts";
import { pathOf } from "./client.ts";
import { contract } from "./contract.ts";
import { verifyFaults } from "./faults.ts";
import { drawItems } from "./items.ts";
import { judgeAnswers } from "./judge.ts";

export const scenario: Scenario = { contract, prepare: (means) => Promise.resolve(prepare(means)) };

/** So many that the order of ids does not repeat within a level of a full run: no server can learn which comes next. */
const mostLines = 501_000;

function prepare({ upstreams, random, folder }: Means): PreparedScenario {
  if (upstreams === undefined) {
    throw new BenchError(`Cannot prepare "${contract.id}": there is no upstream, expected one`);
  }
  const items = drawItems(random);
  // Both sides' upstreams answer alike.
  const itemOf = upstreams.subject.item;
  const { ofLoad: ids } = items;
  const digests = ids.map((id) => bodyDigest(new TextEncoder().encode(itemOf(id).body)));
  const history = createRecordHistory({
    crc32s: Uint32Array.from(digests, ({ crc32 }) => crc32),
    lengths: Uint32Array.from(digests, ({ bytes }) => bytes),
  });
  let requests: (RequestFile & { places: Uint32Array }) | undefined;
  return {
    id: contract.id,
    path: pathOf(items.fresh()),
    upstreams,
    requestFile: async (lines) => {
      const count = Math.min(lines, mostLines);
      if (requests === undefined || requests.lines < count) {
        const path = join(folder, "requests.jsonl");
        const places = Uint32Array.from(
          { length: count },
          () => Math.floor(random() * ids.length),
        );
        await Deno.writeTextFile(path, [...places].map((at) => requestLine(ids[at]!)).join(""));
        requests = { path, lines: count, nextLine: 0, places };
      }
      return requests;
    },
    startChanges: ({ signal }) =>
      Promise.resolve(startItemChanges({ upstreams, ids, history, random, signal })),
    judge: (answers, toleranceMs) => {
      const { places = new Uint32Array() } = requests ?? {};
      return judgeAnswers(answers, { ids, places, history, toleranceMs });
    },
    // Nothing but the upstream knows what an id has that was never asked for.
    probe: () => {
      const id = items.fresh();
      const body = new TextEncoder().encode(itemOf(id).body);
      return Promise.resolve({ path: pathOf(id), header: "accept: application/json", body });
    },
    verifyAnswers: (target, options) =>
      verifyAnswers(target, upstreams[options.side ?? "subject"], items, options),
    verifyFaults: (target, options) =>
      verifyFaults(target, upstreams[options.side ?? "subject"], items, options),
  };
}

function requestLine(id: number): string {
  return `{"path":"${pathOf(id)}"}\n`;
}

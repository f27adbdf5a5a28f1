/**
 * Changes: the service's items change while a gateway passes them on, so that an answer from memory is seen to be old.
 * Changes items at random, for both sides alike, and records when each change was sent and acknowledged.
 */
import { bodyDigest } from "../body_digest.ts";
import type { RecordHistory, Version } from "../record_history.ts";
import type { Upstreams } from "../scenario.ts";
import { atRandomMoments, whileLoads } from "../while_loads.ts";

/** Options for {@linkcode startItemChanges}. */
export interface ItemChangesOptions {
  upstreams: Upstreams;
  /** The ids that loads ask for. */
  ids: readonly number[];
  /** Of these ids, by their place in the list; what it knows of earlier changes is forgotten. */
  history: RecordHistory;
  random: () => number;
  signal: AbortSignal;
}

/** Changes become due at random, after this time on average. */
const meanIntervalMs = 50;

const encoder = new TextEncoder();

/**
 * Starts to change items, until it is disposed of.
 *
 * @throws {RunBroken} when it is disposed of, and an upstream was lost meanwhile.
 */
export function startItemChanges(options: ItemChangesOptions): AsyncDisposable {
  const { history, random, signal } = options;
  history.forgetPast();
  return whileLoads(
    (stop) => atRandomMoments(() => changeOne(options), { meanIntervalMs, random, stop }),
    { signal },
  );
}

async function changeOne({ upstreams, ids, history, random }: ItemChangesOptions): Promise<void> {
  const record = Math.floor(random() * ids.length);
  const id = ids[record]!;
  const { subject, reference } = upstreams;
  const sentMs = performance.now();
  const changing = Promise.all([subject.change(id), reference.change(id)]);
  // Both sides' upstreams answer alike.
  const body = encoder.encode(subject.item(id).body);
  const version: Version = { ...bodyDigest(body), sentMs, acknowledgedMs: Infinity };
  history.add(record, version);
  await changing;
  version.acknowledgedMs = performance.now();
}

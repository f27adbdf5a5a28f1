/** Judge: is each answer of a load what the upstream has under the id that was asked for? */
import type { Item } from "../../upstream/item.ts";
import { bodyDigest, describeDigest, digestAt, isSameDigest } from "../body_digest.ts";
import type { Answers, Witnessed } from "../scenario.ts";
import { createWitness } from "../witnessed.ts";
import { pathOf } from "./client.ts";

/** An item with its id. */
export type KnownItem = Item & { id: number };

/** Returns a judge of answers; `ids` has the id that each line of the requests asks for. */
export function createJudge(
  items: readonly KnownItem[],
): (answers: Answers, ids: Uint32Array) => Witnessed {
  const encoder = new TextEncoder();
  const known = new Map(
    items.map((item) => [item.id, { ...item, ...bodyDigest(encoder.encode(item.body)) }]),
  );
  const idsByCrc = new Map([...known.values()].map(({ id, crc32 }) => [crc32, id]));
  return (answers, ids) => {
    const witness = createWitness(answers);
    for (const [index, line] of answers.line.entries()) {
      const id = ids[line]!;
      const right = known.get(id)!;
      const sent = `GET ${pathOf(id)}`;
      const status = answers.status[index]!;
      const came = digestAt(answers, index);
      if (status !== right.status) {
        witness.wrongStatus(sent, status, right.status);
      } else if (!isSameDigest(came, right)) {
        const other = idsByCrc.get(came.crc32);
        witness.wrong(other === undefined ? "wrong-body" : "another-item", () => ({
          sent,
          came: other === undefined
            ? `a body of ${describeDigest(came)}`
            : `the body of item ${other}`,
          expected: `the upstream's, ${describeDigest(right)}`,
        }));
      } else if (status === 404) {
        witness.rightlyRefused(index);
      } else {
        witness.right(index);
      }
    }
    return witness.finish();
  };
}

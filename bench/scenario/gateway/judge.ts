/** Judge: is each answer of a load what the upstream has under the id that was asked for? */
import { crc32 } from "node:zlib";
import type { Item } from "../../upstream/item.ts";
import type { Answers, Witnessed } from "../scenario.ts";
import { createWitness, describeDigest } from "../witnessed.ts";
import { pathOf } from "./client.ts";

/** An item with its id. */
export type KnownItem = Item & { id: number };

/** Returns a judge of answers; `ids` has the id that each line of the requests asks for. */
export function createJudge(
  items: readonly KnownItem[],
): (answers: Answers, ids: Uint32Array) => Witnessed {
  const known = new Map(items.map((item) => {
    const bytes = new TextEncoder().encode(item.body);
    return [item.id, { ...item, crc32: crc32(bytes), bytes: bytes.length }];
  }));
  const idsByCrc = new Map([...known.values()].map(({ id, crc32 }) => [crc32, id]));
  return (answers, ids) => {
    const witness = createWitness(answers);
    for (const [index, line] of answers.line.entries()) {
      const id = ids[line]!;
      const right = known.get(id)!;
      const sent = `GET ${pathOf(id)}`;
      const status = answers.status[index]!;
      const came = { crc32: answers.bodyCrc32[index]!, bytes: answers.bodyBytes[index]! };
      if (status !== right.status) {
        witness.wrong(`status-${status}`, () => ({
          sent,
          came: `status is ${status}`,
          expected: `status ${right.status}`,
        }));
      } else if (came.crc32 !== right.crc32 || came.bytes !== right.bytes) {
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

/**
 * Item: what does the upstream answer for an id? Takes the run's key, the id and its edition; returns the same as
 * `native/upstream/src/item.rs`, so that every answer of a server can be judged.
 */

/** An answer of the upstream. */
export interface Item {
  status: 200 | 404;
  contentType: string;
  body: string;
}

const textEncoder = new TextEncoder();

/** Returns an edition of what the upstream has under an id; one id in a hundred has nothing. All editions of an id are equally long. */
export function itemOf(key: string, id: number, edition = 0): Item {
  const seed = fnv1a(`${key}/${id}`);
  const wordSeed = mix(seed, edition);
  const word = (n: number) => mix(wordSeed, n).toString(16).padStart(8, "0");
  if (isMissing(id)) {
    return {
      status: 404,
      contentType: "application/problem+json",
      body: `{"title":"No such item","status":404,"instance":"/items/${id}","trace":"${word(1)}"}`,
    };
  }
  const words = Array.from({ length: 12 + mix(seed, 4) % 24 }, (_, index) => word(5 + index));
  const price = `${mix(seed, 2) % 1_000}.${mix(seed, 3) % 10}0`;
  return {
    status: 200,
    contentType: "application/json",
    body: `{"id":${id},"name":"Café № ${word(1)}","price":${price},"text":"${words.join(" ")}"}`,
  };
}

/** Tells whether the upstream has nothing under an id. */
export function isMissing(id: number): boolean {
  return id % 100 === 99;
}

/** FNV-1a with 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of textEncoder.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** The finaliser of MurmurHash3, of the nth number of a sequence. */
function mix(seed: number, n: number): number {
  let hash = (seed + Math.imul(n, 0x9e3779b9)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

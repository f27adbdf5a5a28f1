import { encodeHex } from "@std/encoding";

/**
 * Returns a generator of numbers in [0, 1), the same sequence for the same seed: mulberry32 by Tommy Ettinger, public
 * domain (gist tommyettinger/46a874533244883189143505d203312c).
 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns a generator of numbers in [0, 1) that nobody can foresee. Who has seen a few numbers of `createRandom` can compute all
 * that follow: there are 2^32 states.
 */
export function createUnforeseeable(): () => number {
  const numbers = new Uint32Array(1_024);
  let next = numbers.length;
  return () => {
    if (next === numbers.length) {
      crypto.getRandomValues(numbers);
      next = 0;
    }
    return numbers[next++]! / 2 ** 32;
  };
}

/** Returns another seed with each call, of 32 bits. */
export function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}

/** Returns so many bytes that nobody can guess, in hexadecimal. */
export function randomHex(bytes: number): string {
  return encodeHex(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** Returns the items in random order, every order equally likely (Fisher and Yates). */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return sample(items, items.length, random);
}

/** Returns `count` different items in random order, or all of them where there are fewer. */
export function sample<T>(items: readonly T[], count: number, random: () => number): T[] {
  const pool = [...items];
  const taken: T[] = [];
  while (taken.length < count && pool.length > 0) {
    const index = Math.floor(random() * pool.length);
    const last = pool.length - 1;
    // The last item replaces the taken one, because removing from the middle would move all that follow.
    [pool[index], pool[last]] = [pool[last]!, pool[index]!];
    taken.push(...pool.splice(last));
  }
  return taken;
}

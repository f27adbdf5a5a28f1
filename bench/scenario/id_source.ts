/** Ids of what a server asks its upstream for: so many that none comes twice, and none can be guessed. */

/** Ids have up to nine digits. */
const idLimit = 1_000_000_000;

/** Returns a function that returns another id each time. */
export function idSource(random: () => number): () => number {
  const drawn = new Set<number>();
  return () => {
    while (true) {
      const id = Math.floor(random() * idLimit);
      if (drawn.has(id)) continue;
      drawn.add(id);
      return id;
    }
  };
}

/** Addresses of 127.0.0.0/8 that connections may come from, where the ports of one do not suffice. */

/** Consecutive addresses. */
export interface Addresses {
  first: string;
  count: number;
}

let next = 2;

/**
 * Returns addresses that were not returned for long, because their ports wait for a minute after connections have
 * ended; undefined for a single one, which the system chooses together with a port that is free for that server.
 */
export function freshAddresses(count: number): Addresses | undefined {
  if (count === 1) return undefined;
  const first = `127.0.${1 + Math.floor(next / 256) % 255}.${next % 256}`;
  next += count;
  return { first, count };
}

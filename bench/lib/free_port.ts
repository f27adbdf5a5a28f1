const hostname = "127.0.0.1";

/** Returns a port of 127.0.0.1 that is free now; another program may still take it. */
export function freePort(): number {
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}

/** Tells whether a program listens on a port of 127.0.0.1, or has just been given it. */
export function isTaken(port: number): boolean {
  try {
    using _ = Deno.listen({ hostname, port });
    return false;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return true;
    throw error;
  }
}

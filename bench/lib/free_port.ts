const hostname = "127.0.0.1";

/** Returns a port of 127.0.0.1 that is free now; another program may still take it. */
export function freePort(): number {
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}

/** Tells whether no program could listen on a port of 127.0.0.1 now. */
export function isTaken(port: number): boolean {
  try {
    using _ = Deno.listen({ hostname, port });
    return false;
  } catch {
    return true;
  }
}

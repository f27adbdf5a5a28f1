const hostname = "127.0.0.1";

/** Returns a port of 127.0.0.1 that is free now; another program may still take it. */
export function freePort(): number {
  const [port] = freePorts(1);
  return port!;
}

/** Returns so many ports of 127.0.0.1 that are free now, each another one. */
export function freePorts(count: number): number[] {
  using stack = new DisposableStack();
  // The system may give a port again as soon as nobody listens there.
  const listen = () => stack.use(Deno.listen({ hostname, port: 0 }));
  return Array.from({ length: count }, () => listen().addr.port);
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

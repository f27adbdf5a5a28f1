/** Returns a port of 127.0.0.1 that is free now; another program may still take it. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

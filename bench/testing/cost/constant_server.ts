// deno-lint-ignore-file no-console -- it says its port
// Answers every request with the same few bytes and says on which port.
Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(`port ${port}`) },
  () => new Response("hello"),
);

import { assertEquals } from "@std/assert";
import { clientsIn, watchClients } from "./client_connections.ts";

/** A TCP server that accepts whatever comes. */
function listen(): { url: string; port: number; open(): Promise<Deno.TcpConn[]> } & Disposable {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    /** Opens a connection; returns its client's end and the server's. */
    open: () => Promise.all([Deno.connect({ hostname: "127.0.0.1", port }), listener.accept()]),
    [Symbol.dispose]: () => listener.close(),
  };
}

function close(connections: Deno.TcpConn[]): void {
  for (const connection of connections) connection.close();
}

Deno.test({
  name: "watchClients() counts connections since it began, those that are closed by now too",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    using server = listen();
    using other = listen();
    const earlier = await server.open();
    using clients = watchClients(server.url);
    const elsewhere = await other.open();
    const [first, second, third] = [await server.open(), await server.open(), await server.open()];
    // One closed by its client, one by the server, one stays.
    close(second);
    close(third.toReversed());
    assertEquals(clients.finish(), 3);
    for (const ends of [earlier, elsewhere, first]) close(ends);
  },
});

Deno.test("clientsIn() takes both ends of a connection for one, and none for another's with the same ports", () => {
  const header = "  sl  local_address rem_address   st tx_queue rx_queue";
  const rows = [
    // A server that listens, a client of it and its other end, and one that was closed.
    "0100007F:1F90 00000000:0000 0A",
    "0100007F:9C40 0100007F:1F90 01",
    "0100007F:1F90 0100007F:9C40 01",
    "0100007F:9C41 0100007F:1F90 06",
    // From the same port, from and to another address.
    "0200007F:9C40 0100007F:1F90 08",
    "0100007F:9C40 0200007F:1F90 08",
    "0100007F:9C40 0100007F:1F91 01",
  ];
  const table = [header, ...rows.map((row, index) => `   ${index}: ${row}`)].join("\n");
  const prefix = "0000000000000000FFFF0000";
  const mapped = `${header}\n   0: ${prefix}0100007F:1F90 ${prefix}0100007F:9C40 01\n`;
  assertEquals([...clientsIn([table, mapped], "1F90")], [
    "0100007F:9C40 0100007F:1F90",
    "0100007F:9C41 0100007F:1F90",
    "0200007F:9C40 0100007F:1F90",
    "0100007F:9C40 0200007F:1F90",
  ]);
});

Deno.test({
  name: "watchClients() counts nothing where nobody came",
  ignore: Deno.build.os !== "linux",
  fn: () => {
    using server = listen();
    using clients = watchClients(server.url);
    assertEquals(clients.finish(), 0);
  },
});

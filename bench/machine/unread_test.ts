import { assertEquals } from "@std/assert";
import { hasUnread } from "./unread.ts";

Deno.test("hasUnread() tells what a client sent and a server has not read, of these clients alone", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  using client = await Deno.connect({ hostname: "127.0.0.1", port });
  using server = await listener.accept();
  const { port: clientPort } = client.localAddr;
  assertEquals(hasUnread(port, [clientPort]), false);

  await client.write(new Uint8Array(5));
  assertEquals(hasUnread(port, [clientPort]), Deno.build.os === "linux");
  assertEquals(hasUnread(port, []), false);

  assertEquals(await server.read(new Uint8Array(5)), 5);
  assertEquals(hasUnread(port, [clientPort]), false);
});

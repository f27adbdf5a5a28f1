import { assertEquals } from "@std/assert";
import { delay } from "@std/async";
import { watchEstablished } from "./established.ts";

Deno.test({
  name:
    "watchEstablished() counts connections at the server's end, accepted or not, once it has lasted 2 s",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    const url = `http://127.0.0.1:${port}/`;
    using watch = watchEstablished(url);
    const connections = await Promise.all(
      Array.from({ length: 5 }, () => Deno.connect({ hostname: "127.0.0.1", port })),
    );
    using _accepted = await listener.accept();
    assertEquals(watchEstablished(url).finish(), undefined);
    await delay(2_500);
    for (const connection of connections) connection.close();
    assertEquals(watch.finish(), 5);
  },
});

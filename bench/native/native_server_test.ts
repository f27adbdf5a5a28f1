import { assert, assertEquals, assertMatch } from "@std/assert";
import { controlImpl, nativeFolderName, nullServerImpl } from "./native.ts";
import { request } from "../lib/http_client.ts";
import { silent } from "../lib/report.ts";
import { prepareGround } from "../testing/ground.ts";
import { startSubject } from "../impl/start.ts";
import { ensureNative } from "../tools/tools.ts";
import { verify } from "../scenario/verify.ts";
import { noToolchain } from "../impl/toolchains.ts";

const signal = new AbortController().signal;

Deno.test("nativeFolderName() is the same as long as the sources are", async () => {
  const name = await nativeFolderName(Deno.env.toObject());
  assertMatch(name, /^native-[0-9a-f]{12}$/);
  assertEquals(await nativeFolderName(Deno.env.toObject()), name);
});

Deno.test("the control meets the whole contract", async () => {
  const native = await ensureNative({ report: silent, signal });
  assertMatch(native.controlVersion, /^\d+\.\d+\.\d+$/);
  await using ground = await prepareGround();
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  {
    await using subject = await startSubject(controlImpl(native), {
      toolchain: noToolchain,
      surroundings: ground,
      folder,
      signal,
    });
    assertEquals(await verify(subject, ground), []);
    assert(subject.process.exited() !== undefined);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the null server", async (t) => {
  const native = await ensureNative({ report: silent, signal });
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  await using subject = await startSubject(nullServerImpl(native), {
    toolchain: noToolchain,
    surroundings: { poolMax: 1, secret: "" },
    folder,
    signal,
  });
  const { hostname, port } = new URL(subject.url);

  await t.step("answers JSON, whatever is asked for", async () => {
    const answer = await request(`${subject.url}/any/path?at=all`, { signal });
    if (answer.kind === "failure") throw new Error(answer.reason);
    assertEquals([answer.status, answer.headers["content-type"]], [200, "application/json"]);
    JSON.parse(new TextDecoder().decode(answer.body));
  });
  await t.step(
    "answers each of several requests that come at once, one of them in two parts",
    async () => {
      const lines = "GET / HTTP/1.1\r\nhost: there\r\n";
      const bytes = await converse([`${lines}\r\n${lines}\r\n${lines}\r`, "\n"], 3);
      assertEquals(bytes.match(/HTTP\/1\.1 200 OK\r/g)?.length, 3);
    },
  );
  await t.step("answers a POST at the end of its body", async () => {
    const post = "POST / HTTP/1.1\r\nhost: there\r\nContent-Length: 6\r\n\r\nabc";
    const bytes = await converse([post, "def", "GET / HTTP/1.1\r\n\r\n"], 2);
    assertEquals(bytes.match(/HTTP\/1\.1 200 OK\r/g)?.length, 2);
  });
  await t.step("closes the connection of another request, and answers the next one", async () => {
    assertEquals(await converse(["PUT / HTTP/1.1\r\nhost: there\r\n\r\n"], 1), "");
    assertMatch(await converse(["GET / HTTP/1.1\r\n\r\n"], 1), /^HTTP\/1\.1 200 OK\r$/m);
  });
  await t.step("closes the connection of a header without an end", async () => {
    assertEquals(await converse(["GET / HTTP/1.1\r\n".padEnd(16 * 1024, "x")], 1), "");
  });
  await t.step("ends with SIGTERM", async () => {
    assertEquals((await subject.process.stop()).signal, "SIGTERM");
  });
  await Deno.remove(folder, { recursive: true });

  /** Sends parts over one connection; gives what came until there were `count` bodies, or its end. */
  async function converse(parts: string[], count: number): Promise<string> {
    using connection = await Deno.connect({ hostname, port: Number(port) });
    connection.setNoDelay();
    for (const part of parts) await connection.write(new TextEncoder().encode(part));
    let text = "";
    const buffer = new Uint8Array(65_536);
    while (text.split("}").length <= count) {
      const length = await connection.read(buffer).catch(() => null);
      if (length === null) break;
      text += new TextDecoder().decode(buffer.subarray(0, length));
    }
    return text;
  }
});

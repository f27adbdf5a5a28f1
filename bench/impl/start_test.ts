import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { until } from "../testing/until.ts";
import type { Need } from "../scenario/words.ts";
import type { Impl } from "./impl.ts";
import { contractEnvironment, describeListening, StartError, startSubject } from "./start.ts";
import { noToolchain } from "./toolchains.ts";

const address = { host: "127.0.0.1", port: 3307, user: "u", password: "p", name: "n" };
const surroundings = { database: { address }, poolMax: 16, secret: "s" };

function makeImpl(others: Pick<Impl, "needs"> & { folder?: string; start?: string[] }): Impl {
  const { needs, folder = ".", start = [] } = others;
  const manifest = { name: "", language: "", runtime: "", framework: "", website: "" };
  const rest = { class: "standard" as const, build: [], start, requires: {}, scenarios: [] };
  return { id: "example", folder, manifest: { ...manifest, ...rest }, needs };
}

/** Returns the names of what a server with these needs is given. */
function namesFor(needs: Need[], given: Parameters<typeof contractEnvironment>[2] = surroundings) {
  return Object.keys(contractEnvironment(makeImpl({ needs }), 8080, given)).sort().join(" ");
}

Deno.test("contractEnvironment() gives a server what its scenarios need, and no more", () => {
  const database = "DATABASE_URL DB_HOST DB_NAME DB_PASSWORD DB_POOL_MAX DB_PORT DB_USER";
  assertEquals(namesFor([]), "HOST PORT");
  assertEquals(namesFor(["database"]), `${database} HOST PORT`);
  assertEquals(namesFor(["database", "tokens"]), `${database} HOST JWT_SECRET PORT`);
  assertEquals(
    namesFor(["database", "tokens"], { ...surroundings, database: undefined }),
    "HOST JWT_SECRET PORT",
  );
});

Deno.test("startSubject() tries another port where another program took the one that was free", async (t) => {
  /** Waits until its port is taken, and ends as a server does that cannot listen; the second time, runs `then`. */
  const started = async (then: string) => {
    const folder = await temporaryFolder();
    const path = join(folder.path, "port");
    const script = `if [ -e taken ]; then ${then}; fi
      echo "$PORT" > being-written && mv being-written port
      until [ -e taken ]; do sleep 0.02; done; exit 98`;
    const impl = makeImpl({ needs: [], folder: folder.path, start: ["sh", "-c", script] });
    const { signal } = new AbortController();
    const surroundings = { poolMax: 1, secret: "" };
    const options = { toolchain: noToolchain, surroundings, folder: folder.path, signal };
    return { folder, path, starting: startSubject(impl, options) };
  };
  const readPort = async (path: string) => {
    await until(() => Deno.stat(path).then(() => true, () => false));
    return Number(await Deno.readTextFile(path));
  };
  const serve =
    "Deno.serve({ hostname: '127.0.0.1', port: +Deno.env.get('PORT') }, () => new Response())";

  await t.step("when its start has failed", async () => {
    const { folder, path, starting } = await started(`exec '${Deno.execPath()}' eval "${serve}"`);
    await using _ = folder;
    const port = await readPort(path);
    using _other = Deno.listen({ hostname: "127.0.0.1", port });
    await Deno.writeTextFile(join(folder.path, "taken"), "");
    await using subject = await starting;
    assertNotEquals(subject.url, `http://127.0.0.1:${port}`);
  });
  await t.step("but not where the port is still free", async () => {
    const { folder, path, starting } = await started("exit 97");
    await using _ = folder;
    const refused = assertRejects(() => starting, StartError, "exit code 98");
    await readPort(path);
    await Deno.writeTextFile(join(folder.path, "taken"), "");
    await refused;
  });
});

Deno.test("describeListening() tells a wrong port from a wrong address, and is silent where neither is wrong", () => {
  const describe = (ports: number[], last: Parameters<typeof describeListening>[1]["last"]) =>
    describeListening(ports, { port: 8080, last });
  assertEquals(describe([], "connection refused"), "");
  assertEquals(
    describe([3000, 3001], "connection refused"),
    "It listens on ports 3000, 3001 instead: read PORT.",
  );
  assertEquals(
    describe([3000, 8080], "connection refused"),
    "It listens on port 8080, but not on 127.0.0.1: read HOST.",
  );
  assertEquals(describe([8080], "timed out"), "");
});

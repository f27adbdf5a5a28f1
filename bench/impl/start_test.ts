import { assertEquals } from "@std/assert";
import type { Need } from "../scenario/words.ts";
import type { Impl } from "./impl.ts";
import { contractEnvironment } from "./start.ts";

const address = { host: "127.0.0.1", port: 3307, user: "u", password: "p", name: "n" };
const surroundings = { database: { address }, poolMax: 16, secret: "s" };

/** Returns the names of what a server with these needs is given. */
function namesFor(needs: Need[], given: Parameters<typeof contractEnvironment>[2] = surroundings) {
  const manifest = { name: "", language: "", runtime: "", framework: "", website: "" };
  const rest = { class: "standard" as const, build: [], start: [], requires: {}, scenarios: [] };
  const impl: Impl = { id: "example", folder: ".", manifest: { ...manifest, ...rest }, needs };
  return Object.keys(contractEnvironment(impl, 8080, given)).sort().join(" ");
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

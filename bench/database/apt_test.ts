import { assertEquals } from "@std/assert";
import { newestFirst } from "./apt.ts";

Deno.test("newestFirst() takes the distribution's current server, else the newest", () => {
  assertEquals(newestFirst(["mysql-server-core-8.4", "mysql-server-core"]), [
    "mysql-server-core",
    "mysql-server-core-8.4",
  ]);
  assertEquals(
    newestFirst(["mysql-server-core-8.0", "mysql-server-core-8.4", "mysql-server-core-8.0-dbgsym"]),
    ["mysql-server-core-8.4", "mysql-server-core-8.0"],
  );
  assertEquals(newestFirst([]), []);
});

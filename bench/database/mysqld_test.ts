import { assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { describeConfinement } from "./mysqld.ts";

Deno.test("describeConfinement() knows a program that AppArmor confines by the name of its profile", async () => {
  const profiles = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(profiles, "usr.sbin.mysqld"), "");
    const said = await describeConfinement("/usr/sbin/mysqld", profiles);
    assertMatch(said ?? "", /^AppArmor confines \/usr\/sbin\/mysqld .*usr\.sbin\.mysqld/);
    assertEquals(await describeConfinement("/opt/mysql/bin/mysqld", profiles), undefined);
  } finally {
    await Deno.remove(profiles, { recursive: true });
  }
});

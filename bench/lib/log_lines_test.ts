import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { logTail } from "./log_lines.ts";

Deno.test("logTail() returns the last lines, or says why there are none", async () => {
  await using folder = await temporaryFolder();
  const logPath = join(folder.path, "log");
  assertEquals(
    await logTail(logPath),
    `(${logPath} cannot be read: No such file or directory (os error 2): readfile '${logPath}')`,
  );
  await Deno.writeTextFile(logPath, "");
  assertEquals(await logTail(logPath), `(${logPath} is empty)`);
  await Deno.writeTextFile(logPath, "one\ntwo\nthree\n");
  assertEquals(await logTail(logPath, 2), "two\nthree");
});

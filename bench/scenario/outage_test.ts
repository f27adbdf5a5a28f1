import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { BenchError, RunBroken } from "../lib/error.ts";
import { startProcess } from "../lib/process.ts";
import { silent } from "../lib/report.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { TargetGone } from "./checks.ts";
import { verifyOutage } from "./outage.ts";

Deno.test("verifyOutage() ends the run where the database does not come back, and blames no server for it", async () => {
  await using folder = await temporaryFolder();
  await using process = startProcess(["sleep", "600"], { logPath: join(folder.path, "log") });
  const { signal } = new AbortController();
  const outage = {
    stop: () => Promise.resolve(),
    start: () => Promise.reject(new BenchError("No answer came", { help: "the end of its log" })),
  };
  const asking = {
    ...{ what: "valid tokens", right: 200 },
    ask: () => Promise.reject(new TargetGone("GET /")),
    check: () => Promise.resolve(undefined),
  };
  const error = await assertRejects(
    () =>
      verifyOutage({ url: "http://127.0.0.1:1", process }, outage, asking, {
        ...{ poolMax: 16, report: silent, signal },
      }),
    RunBroken,
    "Cannot go on without the database, which was stopped for a check: No answer came",
  );
  assertEquals(error.help, "the end of its log");
});

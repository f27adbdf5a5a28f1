import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import { environmentOf, type FakeGitHub, serveGitHub } from "../testing/fake_github.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { requireDownloaded } from "./downloaded.ts";

/** Compares a folder with the results of the run that GitHub lists. */
function check(folder: string, github: FakeGitHub): Promise<void> {
  const { signal } = new AbortController();
  return requireDownloaded(folder, "result", { environment: environmentOf(github), signal });
}

Deno.test("requireDownloaded() accepts a folder with each result of the run, whatever else the run has", async () => {
  await using github = serveGitHub();
  await using folder = await temporaryFolder();
  await check(join(folder.path, "none"), github);
  await Deno.mkdir(join(folder.path, "result-hello-go.1"));
  github.artifacts.push(
    { name: "list", expired: false },
    { name: "result-hello-go.1", expired: false },
    { name: "result-hello-rust.1", expired: true },
    { name: "rerun-hello-go.1", expired: false },
  );
  await check(folder.path, github);
});

Deno.test("requireDownloaded() names what was not downloaded, on whichever page GitHub lists it", async () => {
  await using github = serveGitHub();
  await using folder = await temporaryFolder();
  const names = Array.from({ length: 201 }, (_, index) => `result-hello-go.${index + 1}`);
  github.artifacts.push(...names.map((name) => ({ name, expired: false })));
  for (const name of names.slice(1, -1)) await Deno.mkdir(join(folder.path, name));
  const error = await assertRejects(() => check(folder.path, github), BenchError);
  assertEquals(
    error.message,
    `Cannot use "${folder.path}": it lacks 2 of 201 artifacts, ` +
      "expected all of run 5: result-hello-go.1, result-hello-go.201",
  );
  assertEquals(error.help, "The download was incomplete. Run the failed job again.");
});

Deno.test("requireDownloaded() says which variable is missing", async () => {
  const { signal } = new AbortController();
  await assertRejects(
    () => requireDownloaded(".", "result", { environment: {}, signal }),
    BenchError,
    'Cannot use "GITHUB_REPOSITORY": it is not set',
  );
});

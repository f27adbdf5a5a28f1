import { assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import { exampleResult } from "../../testing/example_result.ts";
import { artifactLimits, parseArtifact, readArtifact } from "./untrusted_files.ts";

/** Writes files into a folder, and reads it as an artifact. */
async function read(
  files: Record<string, string | Uint8Array>,
  prepare: (folder: string) => Promise<void> = () => Promise.resolve(),
) {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, data] of Object.entries(files)) {
      const path = join(folder, name);
      await Deno.mkdir(dirname(path), { recursive: true });
      if (typeof data === "string") await Deno.writeTextFile(path, data);
      else await Deno.writeFile(path, data);
    }
    await prepare(folder);
    return await readArtifact(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("readArtifact() reads what the jobs of a pull request leave", async () => {
  const result = "pull-request-example/runs/20260101T000000Z-0000000/example.json";
  const comparison = "pull-request-example/comparisons/20260101T000000Z-0000000.json";
  const files = await read({ [result]: "{}", [comparison]: "[]" });
  const decoder = new TextDecoder();
  assertEquals(
    new Map(files.entries().map(([name, bytes]) => [name, decoder.decode(bytes)])),
    new Map([[result, "{}"], [comparison, "[]"]]),
  );
});

Deno.test("readArtifact() finds nothing where nothing was left", async () => {
  assertEquals((await readArtifact("/nonexistent/artifact")).size, 0);
});

Deno.test("readArtifact() follows no symbolic link", async () => {
  const files = await read({ "a/b.json": "" }, async (folder) => {
    await Deno.symlink("/etc/passwd", join(folder, "passwd.json"));
    await Deno.symlink("/etc", join(folder, "etc"));
  });
  assertEquals([...files.keys()], ["a/b.json"]);
});

Deno.test("readArtifact() reads no more than tells that there is too much", async () => {
  const big = new Uint8Array(artifactLimits.bytesPerFile * 3);
  const names = Array.from({ length: 2 * artifactLimits.files }, (_, index) => [`f${index}`, ""]);
  const files = await read({ ...Object.fromEntries(names), "a/b/c/d/deep.json": "" });
  assertEquals(files.size, artifactLimits.files + 1);
  const [bytes] = (await read({ "big.json": big })).values();
  assertEquals(bytes?.byteLength, artifactLimits.bytesPerFile + 1);
  assertEquals((await read({ "a/b/c/d/deep.json": "" })).size, 0);
});

Deno.test("parseArtifact() goes by what a file holds, not by its name", () => {
  const bytes = new TextEncoder().encode(JSON.stringify(exampleResult()));
  const { results, problems } = parseArtifact(new Map([["comparisons/x.txt", bytes]]));
  assertEquals([results.length, problems], [1, []]);
});

Deno.test("parseArtifact() takes a damaged file for a problem of that file only", () => {
  const bytes = new TextEncoder().encode(JSON.stringify(exampleResult()));
  const { results, problems } = parseArtifact(
    new Map([["a.json", bytes.slice(0, 100)], ["b.json", bytes]]),
  );
  assertEquals([results.length, problems.length], [1, 1]);
});

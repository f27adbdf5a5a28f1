import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { checkImpls } from "./check_impls.ts";
import { silent } from "../lib/report.ts";
import { makePlace, type Place } from "../testing/place.ts";

async function check(place: Place, ids?: string[]) {
  const { signal } = new AbortController();
  return await checkImpls({ folders: place.folders, report: silent, signal }, ids);
}

Deno.test("checkImpls() tells what a formatter or linter of the language objects to", async () => {
  await using place = await makePlace();
  await place.addOwn("ugly", {});
  await place.addOwn("tidy", {});
  const path = join(place.folders.impls, "ugly", "main.ts");
  await Deno.writeTextFile(path, "export const a   = 1;\n");
  const { text, isGood } = await check(place);
  assertEquals(isGood, false);
  assertStringIncludes(text, "ugly: `deno fmt --check` failed\n");
  assertStringIncludes(text, "main.ts");
  assertStringIncludes(
    text,
    "\nugly: `deno fmt` and `deno lint --fix`, in impls/ugly, repair what a tool can; the rest is for you",
  );
  assertEquals(text.includes("tidy: no finding"), true, text);
  assertEquals(await check(place, ["tidy"]), { text: "tidy: no finding", isGood: true });
});

Deno.test("checkImpls() says where a language has no formatter, and needs no toolchain of it", async () => {
  await using place = await makePlace();
  await place.addOwn("jar", {});
  const path = join(place.folders.impls, "jar", "impl.toml");
  const manifest = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, manifest.replace(/^deno = .*$/m, 'java = ">=99"'));
  assertEquals(await check(place), {
    text: "jar: no separate checks (its build runs them, or it has none)",
    isGood: true,
  });
});

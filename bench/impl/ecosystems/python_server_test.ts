import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { checkImpls } from "../../cli/check_impls.ts";
import { verify } from "../../cli/verify.ts";
import { silent } from "../../lib/report.ts";
import { makePlace } from "../../testing/place.ts";
import { discoverImpl } from "../discover.ts";
import { findToolchain } from "../toolchains.ts";

const languages = fromFileUrl(new URL("../../testing/languages", import.meta.url));

Deno.test("an implementation in Python is built, meets the contract, and is formatted and linted", async (t) => {
  await using place = await makePlace();
  const { folders } = place;
  const target = join(folders.impls, "python");
  await Deno.mkdir(target);
  for await (const { name, isFile } of Deno.readDir(join(languages, "python"))) {
    if (isFile) await Deno.copyFile(join(languages, "python", name), join(target, name));
  }
  const context = { folders, report: silent, signal: new AbortController().signal };
  const impl = await discoverImpl(folders.impls, "python");
  // Only who measures an implementation needs its toolchain.
  const ignore = !await findToolchain(impl).then(() => true, () => false);
  await t.step({
    name: "verify",
    ignore,
    fn: async () => {
      const all = { ...context, scratch: place.temporary, print: () => {} };
      const { text, isGood } = await verify({ implId: "python" }, all);
      assertEquals(isGood, true, text);
    },
  });
  await t.step({
    name: "check",
    ignore,
    fn: async () => {
      const expected = { text: "python: no finding", isGood: true };
      assertEquals(await checkImpls(context), expected);
    },
  });
});

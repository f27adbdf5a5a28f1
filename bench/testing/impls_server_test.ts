import { discoverImpl, listImplIds } from "../impl/discover.ts";
import { buildImpl } from "../impl/build.ts";
import { findToolchain } from "../impl/toolchains.ts";
import { foldersOf } from "../cli/folders.ts";

const { impls } = foldersOf();

// Here, beside tests that wait, and not where a measurement would wait for it.
Deno.test("every implementation builds", async (t) => {
  const { signal } = new AbortController();
  for (const id of await listImplIds(impls)) {
    const impl = await discoverImpl(impls, id);
    const toolchain = await findToolchain(impl).catch(() => undefined);
    await t.step({
      name: id,
      ignore: toolchain === undefined,
      fn: async () => void await buildImpl(impl, { toolchain: toolchain!, signal }),
    });
  }
});

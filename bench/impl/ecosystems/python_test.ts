import { assert, assertEquals, assertRejects } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { discoverImpl } from "../discover.ts";
import { lockedVersions } from "../lock_files.ts";
import { findToolchain } from "../toolchains.ts";
import { ecosystem } from "./python.ts";
import { BenchError } from "../../lib/error.ts";

const languages = fromFileUrl(new URL("../../testing/languages", import.meta.url));

Deno.test("lockedVersions() reads the versions of uv.lock", async () => {
  const impl = await discoverImpl(languages, "python");
  const versions = await lockedVersions(impl, { versions: {} });
  for (const name of ["uvicorn", "mysql-connector-python", "pyjwt"]) {
    assert(/^\d+\.\d+\.\d+$/.test(versions.get(name) ?? ""), `${name} ${versions.get(name)}`);
  }
});

Deno.test("a copy's own name stands in pyproject.toml and uv.lock, and in no dependency", async () => {
  for (const file of ["pyproject.toml", "uv.lock"]) {
    const text = await Deno.readTextFile(join(languages, "python", file));
    const found = [...text.matchAll(ecosystem.ownNames![file]!("python"))];
    assertEquals(found.map(([line]) => line), ['name = "python"'], file);
  }
});

Deno.test("findToolchain() takes the newest Python of the range that uv lists, and says which there are", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const path = Deno.env.get("PATH");
  try {
    const listed = [
      ["3.15.0a2", "cpython", "default"],
      ["3.14.1", "cpython", "freethreaded"],
      ["3.13.2", "cpython", "default"],
      ["3.11.7", "cpython", "default"],
      ["3.11.7", "pypy", "default"],
    ].map(([version, implementation, variant]) => ({
      version,
      implementation,
      variant,
      path: `/${implementation}-${version}`,
    }));
    const uv = `#!/bin/sh\ncat <<'end'\n${JSON.stringify(listed)}\nend\n`;
    await Deno.writeTextFile(join(folder, "uv"), uv, { mode: 0o755 });
    Deno.env.set("PATH", `${folder}:${path}`);
    const impl = await discoverImpl(languages, "python");
    const requiring = (python: string) => ({
      ...impl,
      manifest: { ...impl.manifest, requires: { python } },
    });
    const { versions, path: folders, variables } = await findToolchain(requiring(">=3.11"));
    assertEquals([versions, folders], [{ python: "3.13.2" }, [folder]]);
    assertEquals(variables, { UV_PYTHON: "/cpython-3.13.2", UV_PYTHON_DOWNLOADS: "never" });
    const { message } = await assertRejects(() => findToolchain(requiring(">=3.14")), BenchError);
    assertEquals(
      message,
      'Cannot use toolchain "python" for "python": there is 3.13.2, 3.11.7, expected >=3.14',
    );
    // Neither uv nor a Python to fetch it with.
    Deno.env.set("PATH", "/nowhere");
    const { message: missing, help } = await assertRejects(
      () => findToolchain(requiring(">=3.11")),
      BenchError,
    );
    assertEquals(
      missing,
      'Cannot use toolchain "python" for "python": it was not found, expected >=3.11',
    );
    assert(help?.startsWith("Install Python"), help);
  } finally {
    Deno.env.set("PATH", path ?? "");
    await Deno.remove(folder, { recursive: true });
  }
});

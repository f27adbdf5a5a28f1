import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { parseRange } from "@std/semver";
import { discoverImpl } from "../discover.ts";
import { lockedVersions } from "../lock_files.ts";
import { ecosystem, installedBesidePath } from "./python.ts";
import { writeProgram } from "../../testing/write_program.ts";

const impls = fromFileUrl(new URL("../../../impls", import.meta.url));

Deno.test("lockedVersions() reads the versions of uv.lock", async () => {
  const impl = await discoverImpl(impls, "python");
  const versions = await lockedVersions(impl, { versions: {} });
  for (const name of ["fastapi", "mysql-connector-python", "pyjwt"]) {
    assert(/^\d+\.\d+\.\d+$/.test(versions.get(name) ?? ""), `${name} ${versions.get(name)}`);
  }
});

Deno.test("a copy's own name stands in pyproject.toml and uv.lock, and in no dependency", async () => {
  for (const file of ["pyproject.toml", "uv.lock"]) {
    const text = await Deno.readTextFile(join(impls, "python", file));
    const found = [...text.matchAll(ecosystem.ownNames![file]!("python"))];
    assertEquals(found.map(([line]) => line), ['name = "python"'], file);
  }
});

Deno.test("find() takes the newest Python of the range that uv lists, and says which there are", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
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
    await writeProgram(join(folder, "uv"), uv);
    const env = { PATH: `${folder}:${Deno.env.get("PATH")}` };
    assertEquals(await ecosystem.find(parseRange(">=3.11"), { folder, env }), {
      version: "3.13.2",
      path: [folder],
      variables: { UV_PYTHON: "/cpython-3.13.2", UV_PYTHON_DOWNLOADS: "never" },
    });
    assertEquals(await ecosystem.find(parseRange(">=3.14"), { folder, env }), {
      version: undefined,
      whatIs: "there is 3.13.2, 3.11.7",
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("installedBesidePath() finds what pyenv and the tool cache of GitHub's images have", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const installed = [".pyenv/versions/3.13.2", "tools/Python/3.14.1/x64"];
  try {
    for (const path of installed) await Deno.mkdir(join(folder, path), { recursive: true });
    const env = { HOME: folder, RUNNER_TOOL_CACHE: join(folder, "tools") };
    assertEquals(
      await installedBesidePath(env),
      installed.map((path) => join(folder, path, "bin")),
    );
    assertEquals(await installedBesidePath({ HOME: "/nowhere" }), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("find() finds nothing where there is neither uv nor a Python to fetch it with", async () => {
  assertEquals(await ecosystem.find(parseRange("*"), { folder: "/", env: { PATH: "/nowhere" } }), {
    version: undefined,
    whatIs: "it was not found",
  });
});

import { assertEquals, assertRejects } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { discoverImpl, listImplIds, parseManifest } from "./discover.ts";
import { ecosystemNames } from "./ecosystems.ts";
import { BenchError } from "../lib/error.ts";
import { scenarioIds } from "../scenario/ids.ts";

const folder = fromFileUrl(new URL("../../impls", import.meta.url));

const manifest = `
name = "Example"
language = "Rust"
runtime = "native"
framework = "actix-web"
driver = "sqlx"
jwt = "jsonwebtoken"
scenarios = ["jwt-mysql"]
class = "standard"
website = "https://actix.rs"
build = ["cargo", "build", "--release"]
start = ["target/release/example"]

[requires]
rust = ">=1.94"
`;

/** Parses the manifest with one line in another's place, and returns the message. */
async function messageFor(line: RegExp, replacement: string): Promise<string> {
  const error = await assertRejects(
    () => parseManifest(manifest.replace(line, replacement), "impls/example/impl.toml"),
    BenchError,
  );
  return error.message;
}

Deno.test("parseManifest() returns what a right manifest says", async () => {
  const { framework, start, requires } = await parseManifest(manifest, "impl.toml");
  assertEquals({ framework, start, requires }, {
    framework: "actix-web",
    start: ["target/release/example"],
    requires: { rust: ">=1.94" },
  });
});

Deno.test("parseManifest() names a misspelt key, all keys and the nearest", async () => {
  assertEquals(
    await messageFor(/^language/m, "langauge"),
    'Cannot parse "impls/example/impl.toml": key "language" is missing, expected string\n' +
      'Cannot parse "impls/example/impl.toml": unknown key "langauge", expected one of name, language, ' +
      "runtime, framework, scenarios, driver, jwt, class, website, note, build, start, requires; " +
      'did you mean "language"?',
  );
});

Deno.test("parseManifest() names a toolchain that nobody knows", async () => {
  assertEquals(
    await messageFor(/^rust =/m, "rusty ="),
    'Cannot parse "impls/example/impl.toml": unknown key "requires.rusty", expected one of ' +
      `${ecosystemNames.join(", ")}; did you mean "rust"?`,
  );
});

Deno.test("parseManifest() says what a value is and what it should be", async () => {
  const path = 'Cannot parse "impls/example/impl.toml": ';
  assertEquals(
    await messageFor(/^class = .*/m, 'class = "fast"'),
    `${path}key "class": Invalid option: expected one of "standard"|"tuned"`,
  );
  assertEquals(
    await messageFor(/^start = .*/m, 'start = "run"'),
    `${path}key "start": Invalid input: expected array, received string`,
  );
  assertEquals(
    await messageFor(/^start = .*/m, "start = []"),
    `${path}key "start": Too small: expected array to have >=1 items`,
  );
  assertEquals(
    await messageFor(/^website = .*/m, 'website = "actix"'),
    `${path}key "website": Invalid URL`,
  );
});

Deno.test("parseManifest() names a scenario that there is not, all of them and the nearest", async () => {
  assertEquals(
    await messageFor(/^scenarios = .*/m, 'scenarios = ["jwt-mysq"]'),
    'Cannot parse "impls/example/impl.toml": key "scenarios" names "jwt-mysq", expected one of ' +
      `${scenarioIds.join(", ")}; did you mean "jwt-mysql"?`,
  );
  assertEquals(
    await messageFor(/^scenarios = .*/m, ""),
    'Cannot parse "impls/example/impl.toml": key "scenarios" is missing, expected array',
  );
  assertEquals(
    await messageFor(/^scenarios = .*/m, "scenarios = []"),
    'Cannot parse "impls/example/impl.toml": key "scenarios": Too small: expected array to have >=1 items',
  );
});

Deno.test("parseManifest() wants the packages that a listed scenario needs, and no other", async () => {
  const path = 'Cannot parse "impls/example/impl.toml": ';
  assertEquals(
    await messageFor(/^driver = .*/m, ""),
    `${path}key "driver" is missing, expected the package that talks to the database: ` +
      "its scenarios (jwt-mysql) need database",
  );
  assertEquals(
    await messageFor(/^jwt = .*/m, ""),
    `${path}key "jwt" is missing, expected the package that verifies tokens: ` +
      "its scenarios (jwt-mysql) need tokens",
  );
});

Deno.test("parseManifest() says where a file is not TOML", async () => {
  const message = await messageFor(/^name = .*/m, "name Example");
  assertEquals(message.startsWith('Cannot parse "impls/example/impl.toml": '), true, message);
});

Deno.test("every implementation of the repository has a right manifest", async () => {
  for (const id of await listImplIds(folder)) {
    assertEquals((await discoverImpl(folder, id)).id, id);
  }
});

Deno.test("discoverImpl() suggests the nearest name for one that does not exist", async () => {
  const error = await assertRejects(() => discoverImpl(folder, "rsut"), BenchError);
  assertEquals(
    error.message.startsWith('Cannot find implementation "rsut": no such folder, expected one of '),
    true,
    error.message,
  );
  assertEquals(error.help, 'Did you mean "rust"?');
});

Deno.test("discoverImpl() says so when a folder has no impl.toml", async () => {
  const empty = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${empty}/bare`);
    const error = await assertRejects(() => discoverImpl(empty, "bare"), BenchError);
    assertEquals(error.message, `Cannot load "${empty}/bare/impl.toml": file does not exist`);
  } finally {
    await Deno.remove(empty, { recursive: true });
  }
});

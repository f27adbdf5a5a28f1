import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { discoverImpl, listImplIds, parseManifest } from "./discover.ts";
import { BenchError } from "../lib/error.ts";

const folder = fromFileUrl(new URL("../../impls", import.meta.url));

const manifest = `
name = "Example"
language = "Rust"
runtime = "native"
framework = "actix-web"
driver = "sqlx"
jwt = "jsonwebtoken"
class = "standard"
website = "https://actix.rs"
build = ["cargo", "build", "--release"]
start = ["target/release/example"]

[requires]
rust = ">=1.94"
`;

/** Parses the manifest with one line in another's place, and returns the message. */
function messageFor(line: RegExp, replacement: string): string {
  return assertThrows(
    () => parseManifest(manifest.replace(line, replacement), "impls/example/impl.toml"),
    BenchError,
  ).message;
}

Deno.test("parseManifest() returns what a right manifest says", () => {
  const { framework, start, requires } = parseManifest(manifest, "impl.toml");
  assertEquals({ framework, start, requires }, {
    framework: "actix-web",
    start: ["target/release/example"],
    requires: { rust: ">=1.94" },
  });
});

Deno.test("parseManifest() names a misspelt key, all keys and the nearest", () => {
  assertEquals(
    messageFor(/^language/m, "langauge"),
    'Cannot parse "impls/example/impl.toml": key "language" is missing, expected string\n' +
      'Cannot parse "impls/example/impl.toml": unknown key "langauge", expected one of name, language, ' +
      "runtime, framework, driver, jwt, class, website, note, build, start, requires; " +
      'did you mean "language"?',
  );
});

Deno.test("parseManifest() names a toolchain that nobody knows", () => {
  assertEquals(
    messageFor(/^rust =/m, "rusty ="),
    'Cannot parse "impls/example/impl.toml": unknown key "requires.rusty", expected one of ' +
      'deno, rust, go, java, maven; did you mean "rust"?',
  );
});

Deno.test("parseManifest() says what a value is and what it should be", () => {
  const path = 'Cannot parse "impls/example/impl.toml": ';
  assertEquals(
    messageFor(/^class = .*/m, 'class = "fast"'),
    `${path}key "class": Invalid option: expected one of "standard"|"tuned"`,
  );
  assertEquals(
    messageFor(/^start = .*/m, 'start = "run"'),
    `${path}key "start": Invalid input: expected array, received string`,
  );
  assertEquals(
    messageFor(/^start = .*/m, "start = []"),
    `${path}key "start": Too small: expected array to have >=1 items`,
  );
  assertEquals(
    messageFor(/^website = .*/m, 'website = "actix"'),
    `${path}key "website": Invalid URL`,
  );
});

Deno.test("parseManifest() says where a file is not TOML", () => {
  const message = messageFor(/^name = .*/m, "name Example");
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

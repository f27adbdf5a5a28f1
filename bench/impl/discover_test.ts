import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { discoverImpl, listImplIds, parseManifest } from "./discover.ts";
import { ecosystemNames } from "./ecosystems.ts";
import { manifestSchema } from "./impl.ts";
import { BenchError } from "../lib/error.ts";
import { scenarioIds } from "../scenario/ids.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";

const folder = fromFileUrl(new URL("../../impls", import.meta.url));

const manifest = `
name = "Example"
language = "Rust"
runtime = "native"
framework = "actix-web"
driver = "sqlx"
jwt = "jsonwebtoken"
client = "reqwest"
scenarios = ["jwt-mysql", "gateway"]
class = "standard"
website = "https://actix.rs"
note = "One process."
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
    'Cannot parse "impls/example/impl.toml": key "language" is missing, expected a text\n' +
      'Cannot parse "impls/example/impl.toml": unknown key "langauge", expected one of name, language, ' +
      "runtime, framework, scenarios, driver, jwt, client, class, website, note, build, start, requires; " +
      'did you mean "language"?',
  );
});

Deno.test("parseManifest() names a toolchain that nobody knows", async () => {
  assertEquals(
    await messageFor(/^rust =/m, "rusty ="),
    'Cannot parse "impls/example/impl.toml": unknown key "requires.rusty", expected one of ' +
      `${ecosystemNames.join(", ")}; did you mean "rust"?`,
  );
  const text = manifest.replace(/^rust =/m, "ruby =");
  const { help } = await assertRejects(() => parseManifest(text, "impl.toml"), BenchError);
  assertMatch(help ?? "", /^Another toolchain needs a file in bench\/impl\/ecosystems\/: /);
});

/** What the line of each key may be damaged to, and what is said of it. */
const damages: Record<string, [line: string, message: string][]> = {
  note: [["note = 7", 'key "note" is 7, expected a text']],
  driver: [["driver = 7", 'key "driver" is 7, expected a text']],
  jwt: [['jwt = ""', 'key "jwt" is "", expected a text that is not empty']],
  client: [["client = 7", 'key "client" is 7, expected a text']],
  scenarios: [
    ["", 'key "scenarios" is missing, expected a list of texts, like ["hello"]'],
    ["scenarios = []", 'key "scenarios" is [], expected at least one entry'],
    [
      'scenarios = ["jwt-mysq"]',
      `key "scenarios" holds "jwt-mysq", expected one of ${scenarioIds.join(", ")}; ` +
      'did you mean "jwt-mysql"?',
    ],
  ],
  class: [
    ["", 'key "class" is missing, expected one of standard, tuned'],
    ['class = "tune"', 'key "class" is "tune", expected one of standard, tuned'],
  ],
  website: [
    ["", 'key "website" is missing, expected a text'],
    [
      'website = "actix"',
      'key "website" is "actix", expected an address, like https://example.org',
    ],
    [
      'website = "javascript:alert(1)"',
      'key "website" is "javascript:alert(1)", expected an address, like https://example.org',
    ],
    [
      'website = "//evil.example"',
      'key "website" is "//evil.example", expected an address, like https://example.org',
    ],
  ],
  "\\[requires\\]\nrust": [
    [
      "",
      'key "requires" is missing, expected a table: a line [requires], and below it lines like node = ">=26"',
    ],
    [
      'requires = "rust"',
      'key "requires" is "rust", expected a table: a line [requires], and below it lines like node = ">=26"',
    ],
    [
      '[requires]\nrust = "about 1.94"',
      'key "requires.rust" is "about 1.94", expected a range of versions, like >=1.94',
    ],
  ],
};
for (const key of ["name", "language", "runtime", "framework"]) {
  damages[key] = [
    ["", `key "${key}" is missing, expected a text`],
    [`${key} = 7`, `key "${key}" is 7, expected a text`],
    [`${key} = ""`, `key "${key}" is "", expected a text that is not empty`],
  ];
}
for (const key of ["build", "start"]) {
  damages[key] = [
    ["", `key "${key}" is missing, expected a list of texts, like ["npm", "ci"]`],
    [`${key} = "run"`, `key "${key}" is "run", expected a list of texts, like ["npm", "ci"]`],
    [`${key} = []`, `key "${key}" is [], expected at least one entry`],
    [`${key} = [7]`, `key "${key}" holds 7, expected a text`],
  ];
}

for (const [key, cases] of Object.entries(damages)) {
  for (const [line, message] of cases) {
    Deno.test(`parseManifest() says: ${message}`, async () => {
      assertEquals(
        await messageFor(new RegExp(`^${key} = .*`, "m"), line),
        `Cannot parse "impls/example/impl.toml": ${message}`,
      );
    });
  }
}

Deno.test("each key of a manifest is damaged by a test", () => {
  const keys = Object.keys(damages).map((key) => /requires/.exec(key)?.[0] ?? key);
  assertEquals(keys.sort(), Object.keys(manifestSchema.shape).sort());
});

Deno.test("parseManifest() wants the packages that a listed scenario needs, and no other", async () => {
  const path = 'Cannot parse "impls/example/impl.toml": ';
  assertEquals(
    await messageFor(/^driver = .*/m, ""),
    `${path}key "driver" is missing, expected the package that talks to the database: ` +
      "jwt-mysql needs a database",
  );
  assertEquals(
    await messageFor(/^jwt = .*/m, ""),
    `${path}key "jwt" is missing, expected the package that verifies tokens: ` +
      "jwt-mysql needs tokens",
  );
  const hello = manifest.replace(/^scenarios = .*/m, 'scenarios = ["hello"]').replace(
    /^client = .*\n/m,
    "",
  );
  const messageForHello = async (toml: string) =>
    (await assertRejects(() => parseManifest(toml, "impls/example/impl.toml"), BenchError)).message;
  assertEquals(
    await messageForHello(hello),
    `${path}key "driver" is given, expected none: no scenario that it lists needs a database\n` +
      `${path}key "jwt" is given, expected none: no scenario that it lists needs tokens`,
  );
  const gateway = hello.replace('["hello"]', '["gateway"]').replace(/^jwt = .*\n/m, "");
  assertEquals(
    await messageForHello(gateway.replace(/^driver = .*\n/m, "")),
    `${path}key "client" is missing, expected the package that calls other services: ` +
      "gateway needs an upstream",
  );
  const bare = hello.replace(/^(?:driver|jwt|client) = .*\n/gm, "");
  const { scenarios, driver, jwt } = await parseManifest(bare, "impl.toml");
  assertEquals([scenarios, driver, jwt], [["hello"], undefined, undefined]);
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

Deno.test("listImplIds() leaves out a folder that only a build's leftovers keep there", async () => {
  const impls = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${impls}/gone/target`, { recursive: true });
    await Deno.mkdir(`${impls}/here`);
    await Deno.writeTextFile(`${impls}/here/impl.toml`, "");
    assertEquals(await listImplIds(impls), ["here"]);
  } finally {
    await Deno.remove(impls, { recursive: true });
  }
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

Deno.test("discoverImpl() says so where an implementation is newer than the base", async () => {
  await using base = await temporaryFolder();
  await assertRejects(
    () => discoverImpl(base.path, "deno", { name: "main", present: folder }),
    BenchError,
    'Cannot find implementation "deno": no such folder at main (it is new since then), ' +
      "expected a commit that has it",
  );
});

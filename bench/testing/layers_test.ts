import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { type Arrow, arrowsOf, brokenArrows } from "./layers.ts";

const root = fromFileUrl(new URL("../..", import.meta.url));

/** What is not of the harness: servers that are measured, and what tools made. */
const strange = /^bench\/(?:native\/(?:target|[^/]+\/)|testing\/red_team\/)/;

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(join(root, folder))) {
    const path = `${folder}/${name}`;
    if (strange.test(path)) continue;
    if (isDirectory) yield* sources(path);
    else if (name.endsWith(".ts")) yield path;
  }
}

async function readArrows(): Promise<Arrow[]> {
  const arrows: Arrow[] = [];
  for (const path of [...await Array.fromAsync(sources("bench")), "tokens.gen.ts"]) {
    arrows.push(...arrowsOf(path, await Deno.readTextFile(join(root, path))));
  }
  return arrows;
}

Deno.test("every import of the harness runs down, and none in a circle", async () => {
  const arrows = await readArrows();
  assert(arrows.length > 300, `only ${arrows.length} imports were found`);
  assertEquals(brokenArrows(arrows), []);
});

Deno.test("bench/README.md says in which order imports run: down its table of folders", async () => {
  const readme = await Deno.readTextFile(join(root, "bench/README.md"));
  const rows = [...readme.matchAll(/^\| `([a-z]+)(?:\.ts|\/)` /gm)].map(([, name]) => name!);
  const rowOf = (path: string) => rows.indexOf(/^bench\/([a-z]+)/.exec(path)?.[1] ?? "");
  // Tests may use everything, and everything the ids of the scenarios, as the README says.
  const arrows = (await readArrows()).filter(({ from, to }) =>
    !/_test\.ts$|^bench\/testing\//.test(from) && to !== "bench/scenario/ids.ts" && rowOf(to) >= 0
  );
  assert(arrows.length > 300, `only ${arrows.length} imports were found`);
  assertEquals(arrows.filter(({ from, to }) => rowOf(from) > rowOf(to)), []);
});

Deno.test("bench/ holds main.ts, README.md, deno.sh and folders", async () => {
  const entries = await Array.fromAsync(Deno.readDir(join(root, "bench")));
  const files = entries.filter(({ isDirectory }) => !isDirectory).map(({ name }) => name).sort();
  assertEquals(files, ["README.md", "deno.sh", "main.ts"]);
});

Deno.test("brokenArrows() says which way an import that breaks the order should run", () => {
  const messageFor = (from: string, to: string) => brokenArrows([{ from, to }]).join("\n");
  const cases: [from: string, to: string, message: string][] = [
    [
      "bench/results/store.ts",
      "bench/measure/run.ts",
      "runs up, expected bench/measure to use bench/results, as it stands above it: " +
      "move what is needed to bench/results or below",
    ],
    [
      "bench/measure/run.ts",
      "bench/site/derive.ts",
      "runs sideways, expected neither bench/measure nor bench/site to use the other: " +
      "move what both need to a room below",
    ],
    [
      "bench/site/derive.ts",
      "bench/measure/run.ts",
      "leaves what bench/site may use, expected one of bench/results, bench/statistics, bench/lib, " +
      "bench/scenario/ids.ts, bench/scenario/words.ts, site/assets/pair_address.js, " +
      "site/assets/step_text.js: bench/site shows results, and whoever makes them hands them down",
    ],
    [
      "bench/github/api/a.ts",
      "bench/github/comment/b.ts",
      "runs sideways, expected api and comment not to use each other: move what both need to bench/github",
    ],
    [
      "bench/cli/bench.ts",
      "bench/testing/place.ts",
      "takes a product file into testing, expected only tests to use bench/testing/",
    ],
  ];
  for (const [from, to, message] of cases) {
    assertEquals(messageFor(from, to), `${from} → ${to} ${message}`);
  }
});

Deno.test("brokenArrows() accepts what runs down, what stays in a folder, and any import of a test", () => {
  assertEquals(
    brokenArrows([
      { from: "bench/main.ts", to: "bench/cli/bench.ts" },
      { from: "bench/cli/bench.ts", to: "bench/lib/error.ts" },
      { from: "bench/site/claims/claims.ts", to: "bench/site/claims/file.ts" },
      { from: "bench/site/claims/claims.ts", to: "bench/site/run_summary.ts" },
      { from: "bench/site/derive.ts", to: "bench/scenario/words.ts" },
      { from: "bench/results/result_schema.ts", to: "bench/scenario/ids.ts" },
      { from: "bench/results/store_test.ts", to: "bench/testing/place.ts" },
    ]),
    [],
  );
});

Deno.test("brokenArrows() names the files of a circle", () => {
  const [a, b, c] = ["bench/lib/a.ts", "bench/lib/b.ts", "bench/lib/c.ts"] as const;
  assertEquals(
    brokenArrows([{ from: c, to: a }, { from: a, to: b }, { from: b, to: a }]),
    [
      `${a} → ${b} → ${a} is a circle, expected none: ` +
      "move what the first needs of the last to a file of its own",
    ],
  );
});

Deno.test("arrowsOf() reads imports and exports over several lines, types, effects, and import() of a literal", () => {
  const text = [
    'import { a } from "./a.ts";',
    'import type {\n  b,\n  c,\n} from "../b.ts";',
    'export { d } from "./d.ts";',
    'const e = await import("./e.ts");',
    'const f = await import(\n  "./f.ts"\n);',
    'import "./g.ts";',
    'import { join } from "@std/path";',
  ].join("\n");
  assertEquals(
    arrowsOf("bench/lib/x.ts", text).map(({ to }) => to),
    ["a.ts", "../b.ts", "d.ts", "e.ts", "f.ts", "g.ts"].map((path) => join("bench/lib", path)),
  );
});

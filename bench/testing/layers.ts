/**
 * Who may use whom: the rooms of the harness (folders below `bench/`), and which imports break their order. Types
 * count as much as values: they are knowledge, too.
 */
import { dirname, join } from "@std/path";

/** An import of one file by another; paths from the repository's root. */
export interface Arrow {
  from: string;
  to: string;
}

/** The floors of the house, the highest first: a room may use those on floors below its own. */
const floors = [
  ["bench/main.ts"],
  ["bench/cli"],
  ["bench/github", "bench/site", "bench/measure"],
  ["bench/tools"],
  ["bench/native"],
  ["bench/impl"],
  ["bench/scenario", "tokens.gen.ts"],
  ["bench/load"],
  ["bench/database", "bench/machine", "bench/upstream"],
  ["bench/results"],
  ["bench/statistics"],
  ["bench/lib"],
  // What browsers run, too, has no imports.
  [
    "bench/scenario/ids.ts",
    "site/assets/pair_address.js",
    "site/assets/step_text.js",
    "site/assets/verdict.js",
  ],
];

/** What shows and publishes results never starts a process: of the rooms below, it may use these only. */
const readers = ["bench/github", "bench/site"];
const readable = [
  "bench/results",
  "bench/statistics",
  "bench/lib",
  "bench/scenario/ids.ts",
  "bench/scenario/words.ts",
  "site/assets/pair_address.js",
  "site/assets/step_text.js",
];

const testing = ["bench/testing", "site/tests"];

/** `tokens.gen.ts` belongs to the scenario of the tokens, and stands at the root for people to run. */
const roomsOfFiles: Record<string, string> = { "tokens.gen.ts": "bench/scenario" };

/** Returns the imports of a file by relative path, of types, for their effect and by `import()` of a literal, too. */
export function arrowsOf(from: string, text: string): Arrow[] {
  const imports = text.matchAll(
    /^(?:import|export)\b[^;]*?\bfrom "(\.[^"]+)"|^import "(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/gm,
  );
  return [...imports].map(([, ...paths]) => ({
    from,
    to: join(dirname(from), paths.find((path) => path !== undefined)!),
  }));
}

/** Returns a sentence for each arrow that breaks the order, and for the first circle of files. */
export function brokenArrows(arrows: readonly Arrow[]): string[] {
  const product = arrows.filter(({ from }) => !isTest(from));
  const broken = product.flatMap((arrow) => problemOf(arrow) ?? []);
  const circle = findCircle(product);
  if (circle !== undefined) {
    broken.push(
      `${
        circle.join(" → ")
      } is a circle, expected none: move what the first needs of the last to a file of its own`,
    );
  }
  return broken;
}

function problemOf({ from, to }: Arrow): string | undefined {
  const arrow = `${from} → ${to}`;
  if (isTest(to)) {
    return `${arrow} takes a product file into testing, expected only tests to use bench/testing/`;
  }
  const [own, other] = [roomOf(from), roomOf(to)];
  if (own === other) return problemInside(arrow, from, to, own);
  if (readers.includes(own)) {
    if (readable.some((path) => isBelow(to, path))) return undefined;
    return `${arrow} leaves what ${own} may use, expected one of ${readable.join(", ")}: ` +
      `${own} shows results, and whoever makes them hands them down`;
  }
  const [floor, otherFloor] = [floorOf(own), floorOf(other)];
  if (floor < otherFloor) return undefined;
  return floor === otherFloor
    ? `${arrow} runs sideways, expected neither ${own} nor ${other} to use the other: ` +
      "move what both need to a room below"
    : `${arrow} runs up, expected ${other} to use ${own}, as it stands above it: ` +
      `move what is needed to ${own} or below`;
}

/** Folders of one room do not use each other; both may use the files of the room itself. */
function problemInside(arrow: string, from: string, to: string, room: string): string | undefined {
  const [own, other] = [from, to].map((path) => folderWithin(room, path));
  if (own === other || own === undefined || other === undefined) return undefined;
  return `${arrow} runs sideways, expected ${own} and ${other} not to use each other: ` +
    `move what both need to ${room}`;
}

function folderWithin(room: string, path: string): string | undefined {
  const [folder, ...rest] = path.slice(room.length + 1).split("/");
  return rest.length === 0 ? undefined : folder;
}

function roomOf(path: string): string {
  const room = roomsOfFiles[path] ??
    floors.flat().filter((room) => isBelow(path, room)).sort((a, b) => b.length - a.length)[0];
  if (room !== undefined) return room;
  throw new Error(`${path} is in no room, expected one of ${floors.flat().join(", ")}`);
}

function floorOf(room: string): number {
  return floors.findIndex((rooms) => rooms.includes(room));
}

function isBelow(path: string, room: string): boolean {
  return path === room || path.startsWith(`${room}/`);
}

function isTest(path: string): boolean {
  return path.endsWith("_test.ts") || testing.some((folder) => isBelow(path, folder));
}

/** Returns the files of a circle, the first one again in the end; undefined where there is none. */
function findCircle(arrows: readonly Arrow[]): string[] | undefined {
  const uses = Map.groupBy(arrows, ({ from }) => from);
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return undefined;
    done.add(path);
    for (const { to } of uses.get(path) ?? []) {
      const circle = visit(to, [...trail, path]);
      if (circle !== undefined) return circle;
    }
    return undefined;
  };
  for (const path of uses.keys()) {
    const circle = visit(path, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

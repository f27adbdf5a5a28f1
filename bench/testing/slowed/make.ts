/**
 * Copies `impls/rust` or `impls/go` and slows the copy, to check that a comparison detects it: it multiplies before each
 * request. How much slower it becomes depends on the processor's clock, too, so look at the ratios. Where `rust` answers
 * 6,000 requests per second, warm and at 50 connections, `bench/deno.sh run -A bench/testing/slowed/make.ts rust 5 6000`
 * makes `impls/rust-slowed-5`, 5 % slower.
 */
import { fromFileUrl, join } from "@std/path";
import { copyWithFolders, sourcesOf } from "../sources.ts";

const here = fromFileUrl(new URL(".", import.meta.url));
const root = fromFileUrl(new URL("../../../", import.meta.url));

/** How an implementation is slowed. */
interface Slowed {
  /** A file of this folder, and where it is copied. */
  added: [name: string, path: string];
  main: string;
  changes: [what: RegExp, by: string][];
}

const slowed: Record<string, Slowed> = {
  rust: {
    added: ["slow.rs", "src/slow.rs"],
    main: "src/main.rs",
    changes: [
      [/^mod users;$/m, "mod slow;\n$&"],
      [/^( *)App::new\(\)$/m, "$&\n$1    .wrap_fn(slow::slow)"],
    ],
  },
  go: {
    added: ["slow.go", "slow.go"],
    main: "main.go",
    changes: [[/^(\t\tHandler: +)mux,$/m, "$1slow(mux),"]],
  },
};

/** A shift, an exclusive or and a multiplication take five cycles: 1.8 ns on one machine, in either language. */
const nanosecondsPerStep = 1.8;

/** By how much to slow, and what. */
interface Share {
  /** Of the goodput. */
  percent: number;
  /** The warm goodput of what is slowed, on this machine. */
  goodputPerSecond: number;
}

/** Makes `<id>-slowed-<percent>` below `target`, and returns its id. */
export async function makeSlowed(id: string, share: Share, target: string): Promise<string> {
  const { percent, goodputPerSecond } = share;
  const how = slowed[id];
  if (
    how === undefined || !Number.isInteger(percent) || percent < 1 || percent > 99 ||
    !(goodputPerSecond > 0)
  ) {
    const ids = Object.keys(slowed).join(" or ");
    throw new Error(
      `Cannot slow "${id}" by ${percent} % of ${goodputPerSecond} requests per second, expected ${ids}, 1 to 99 %, ` +
        "and its goodput on this machine",
    );
  }
  const { added: [name, path], main, changes } = how;
  const made = `${id}-slowed-${percent}`;
  const original = join("impls", id);
  for (const source of await sourcesOf(root, original)) {
    await copyWithFolders(join(root, source), join(target, made, source.slice(original.length)));
  }
  await Deno.copyFile(join(here, name), join(target, made, path));
  await change(join(target, made, main), changes);
  await change(join(target, made, "impl.toml"), [
    [/^name = "(.*)"$/m, `name = "$1, slowed by ${percent} %"`],
    [/^start = \[/m, `start = ["env", "BURN_STEPS=${stepsOf(share)}", `],
  ]);
  return made;
}

/** Returns how often to multiply: a request takes all processors, and what is 5 % slower takes 1 / 0.95 of the time. */
function stepsOf({ percent, goodputPerSecond }: Share): number {
  const nanosecondsOfRequest = 1e9 * navigator.hardwareConcurrency / goodputPerSecond;
  return Math.round(nanosecondsOfRequest / nanosecondsPerStep * percent / (100 - percent));
}

async function change(path: string, changes: [what: RegExp, by: string][]): Promise<void> {
  let text = await Deno.readTextFile(path);
  for (const [what, by] of changes) {
    if (!what.test(text)) throw new Error(`Cannot change "${path}": it has no ${what}`);
    text = text.replace(what, by);
  }
  await Deno.writeTextFile(path, text);
}

if (import.meta.main) {
  const [id = "", percent, goodput] = Deno.args;
  const share = { percent: Number(percent), goodputPerSecond: Number(goodput) };
  await makeSlowed(id, share, join(root, "impls"));
}

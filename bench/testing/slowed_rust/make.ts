/**
 * A difference of known size, to check that a comparison detects it: `impls/rust` with a middleware
 * that burns processor time. `bench/deno.sh run -A bench/testing/slowed_rust/make.ts 5` makes `impls/rust-slowed-5`.
 */
import { fromFileUrl, join } from "@std/path";

const here = fromFileUrl(new URL(".", import.meta.url));
const impls = fromFileUrl(new URL("../../../impls", import.meta.url));

/** Nanoseconds for each request, of some 60,000 that it costs the machine in all on two processors. */
const burnt: Record<string, number> = {
  "5": 3_000,
  // A quarter, so that goodput falls by a fifth.
  "20": 15_000,
};

/** Makes `rust-slowed-<percent>` below `target`, and returns its folder. */
export async function makeSlowedRust(percent: string, target: string): Promise<string> {
  const nanoseconds = burnt[percent];
  if (nanoseconds === undefined) {
    throw new Error(`Cannot slow by "${percent}" %, expected one of ${Object.keys(burnt)}`);
  }
  const folder = join(target, `rust-slowed-${percent}`);
  await Deno.mkdir(join(folder, "src"), { recursive: true });
  for await (const { name } of Deno.readDir(join(impls, "rust", "src"))) {
    await Deno.copyFile(join(impls, "rust", "src", name), join(folder, "src", name));
  }
  await Deno.copyFile(join(here, "slow.rs"), join(folder, "src", "slow.rs"));
  for (const name of ["Cargo.toml", "Cargo.lock", "impl.toml"]) {
    await Deno.copyFile(join(impls, "rust", name), join(folder, name));
  }
  await change(join(folder, "src", "main.rs"), [
    [/^mod users;$/m, "mod slow;\n$&"],
    [/^( *)App::new\(\)$/m, "$&\n$1    .wrap_fn(slow::slow)"],
  ]);
  await change(join(folder, "impl.toml"), [
    [/^name = "(.*)"$/m, `name = "$1, slowed by ${percent} %"`],
    [/^start = \[/m, `start = ["env", "BURN_NANOSECONDS=${nanoseconds}", `],
  ]);
  return folder;
}

async function change(path: string, changes: [what: RegExp, by: string][]): Promise<void> {
  let text = await Deno.readTextFile(path);
  for (const [what, by] of changes) {
    if (!what.test(text)) throw new Error(`Cannot change "${path}": it has no ${what}`);
    text = text.replace(what, by);
  }
  await Deno.writeTextFile(path, text);
}

if (import.meta.main) await makeSlowedRust(Deno.args[0] ?? "", impls);

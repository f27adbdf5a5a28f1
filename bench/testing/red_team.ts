/**
 * The implementations that a check must reject: one server, `red_team/`, started with the name of one of
 * `cheats.ts` or one of the `…_cheats.ts`, and a few that fail earlier. Tests use one as a value, or create its folder.
 */
import { fromFileUrl, join } from "@std/path";
import { needsOf, parseManifest } from "../impl/discover.ts";
import type { Impl, Manifest } from "../impl/impl.ts";

const folder = fromFileUrl(new URL("red_team", import.meta.url));

/** Those that differ from the honest one in their manifest only. */
const otherwise: Record<string, Partial<Manifest>> = {
  "build-fails": { build: ["sh", "-c", "echo 'error: no such module' >&2; exit 3"] },
  "dies-at-once": { start: ["sh", "-c", "echo 'Cannot read the configuration' >&2; exit 1"] },
  "never-listens": { start: ["sleep", "600"] },
};

async function readHonest(): Promise<{ toml: string; manifest: Manifest }> {
  const path = join(folder, "impl.toml");
  const toml = await Deno.readTextFile(path);
  return { toml, manifest: await parseManifest(toml, path) };
}

function changesOf(id: string, honest: Manifest): Partial<Manifest> {
  return otherwise[id] ?? { start: [...honest.start.slice(0, -1), id] };
}

/**
 * Returns an implementation of the red team; `others` are changes of its manifest besides. All have one folder, so it is
 * not to be built.
 */
export async function redTeamImpl(id: string, others: Partial<Manifest> = {}): Promise<Impl> {
  const { manifest: honest } = await readHonest();
  const manifest = { ...honest, ...changesOf(id, honest), ...others };
  return { id, folder, manifest, needs: await needsOf(manifest.scenarios) };
}

/** Returns one that does only a scenario with an upstream, so that it needs no database. */
export async function redTeamCaller(id: string, scenario: string): Promise<Impl> {
  return await redTeamImpl(id, {
    scenarios: [scenario],
    client: "fetch",
    driver: undefined,
    jwt: undefined,
  });
}

/** Returns one that does `delay` only, so that it needs nothing. */
export async function redTeamDelay(id: string): Promise<Impl> {
  return await redTeamImpl(id, { scenarios: ["delay"], driver: undefined, jwt: undefined });
}

/**
 * Makes the folder of an implementation of the red team below `impls`; `replace` changes lines of its
 * `impl.toml`, and is by default what its id stands for.
 */
export async function makeRedTeamImpl(
  impls: string,
  id: string,
  replace?: Record<string, unknown>,
): Promise<void> {
  const { toml, manifest } = await readHonest();
  const own = join(impls, id);
  await Deno.mkdir(own);
  for (
    const name of [
      "server.ts",
      "cheats.ts",
      "load_cheats.ts",
      "delay_cheats.ts",
      "frozen_cheats.ts",
      "gateway_cheats.ts",
      "hidden_statement_cheats.ts",
      "notify_cheats.ts",
      "process_cheats.ts",
      "statement_cheats.ts",
      "turn_cheats.ts",
      "visit_cheats.ts",
      "deno.json",
      "deno.lock",
    ]
  ) {
    await Deno.copyFile(join(folder, name), join(own, name));
  }
  let text = toml;
  for (const [key, value] of Object.entries(replace ?? changesOf(id, manifest))) {
    const line = new RegExp(`^${key} = .*`, "m");
    text = text.replace(line, () => `${key} = ${JSON.stringify(value)}`);
  }
  await Deno.writeTextFile(join(own, "impl.toml"), text);
  // As the repository's own does: each build writes one.
  await Deno.writeTextFile(join(own, ".gitignore"), "build.log\n");
}

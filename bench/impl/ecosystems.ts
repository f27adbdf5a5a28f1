/** All ecosystems: one file each in `ecosystems/`. This file lists the folder. */
import type { Ecosystem } from "./ecosystem.ts";

const folder = new URL("ecosystems/", import.meta.url);

/** The names of all, as `requires` has them, in alphabetical order. */
export const ecosystemNames: readonly string[] = [...Deno.readDirSync(folder)]
  .map(({ name }) => name)
  .filter((name) => name.endsWith(".ts") && !name.endsWith("_test.ts"))
  .map((name) => name.slice(0, -".ts".length))
  .sort();

/** Returns an ecosystem by its name. */
export async function loadEcosystem(name: string): Promise<Ecosystem> {
  const { ecosystem }: { ecosystem: Ecosystem } = await import(new URL(`${name}.ts`, folder).href);
  return ecosystem;
}

/** Returns the ecosystems that an implementation requires, by name, each after the one that it runs on. */
export async function requiredEcosystems(
  requires: Readonly<Record<string, unknown>>,
): Promise<[name: string, Ecosystem][]> {
  const required = await Promise.all(
    Object.keys(requires).map(async (name): Promise<[string, Ecosystem]> => [
      name,
      await loadEcosystem(name),
    ]),
  );
  const runsOnAnother = ({ runsOn }: Ecosystem) => Number(runsOn !== undefined);
  return required.sort(([, a], [, b]) => runsOnAnother(a) - runsOnAnother(b));
}

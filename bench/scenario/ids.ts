/** The scenarios: each folder beside this file is one, `jwt_mysql` for the id `jwt-mysql`. */

/** The scenario if none is named. */
export const defaultScenarioId = "jwt-mysql";

/** Every scenario's id: the default one first, then by name. */
export const scenarioIds: [string, ...string[]] = [defaultScenarioId, ...otherIds()];

/** Returns the URL of a file in a scenario's folder. */
export function scenarioFile(id: string, name: string): URL {
  return new URL(`${id.replaceAll("-", "_")}/${name}`, import.meta.url);
}

function otherIds(): string[] {
  return [...Deno.readDirSync(new URL(".", import.meta.url))]
    .filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => name.replaceAll("_", "-"))
    .filter((id) => id !== defaultScenarioId)
    .sort();
}

/** Downloads: are all artifacts of this workflow's run here? */
import { z } from "zod";
import { BenchError } from "../lib/error.ts";
import { apiOf, ask } from "./api.ts";
import { type ArtifactsWanted, namesIn, toLine } from "./result_artifacts.ts";
import { type Environment, valueOf } from "./environment.ts";

const pageSize = 100;

const listingSchema = z.object({
  artifacts: z.array(z.object({ name: z.string(), expired: z.boolean().default(false) })),
});

/**
 * Compares a folder with the artifacts of one kind that the workflow's run has: their download may succeed without some
 * (https://github.com/actions/download-artifact/issues/396).
 *
 * @throws {BenchError} when one is not in the folder, a variable is missing, or GitHub refuses.
 */
export async function requireDownloaded(
  folder: string,
  kind: ArtifactsWanted["kind"],
  { environment, signal }: { environment: Environment; signal: AbortSignal },
): Promise<void> {
  const [repository, run] = ["GITHUB_REPOSITORY", "GITHUB_RUN_ID"]
    .map((name) => valueOf(name, environment));
  const api = apiOf(environment, signal);
  const listed = new Set<string>();
  for (let page = 1;; page++) {
    const path = `repos/${repository}/actions/runs/${run}/artifacts`;
    const query = `per_page=${pageSize}&page=${page}`;
    const { artifacts } = await ask(listingSchema, `${path}?${query}`, api);
    // One that expired cannot be downloaded; an earlier attempt has published it.
    for (const { name, expired } of artifacts) {
      if (!expired && name.startsWith(`${kind}-`)) listed.add(name);
    }
    if (artifacts.length < pageSize) break;
  }
  const missing = [...listed.difference(new Set(await namesIn(folder)))].sort();
  if (missing.length === 0) return;
  throw new BenchError(
    toLine(
      `Cannot use "${folder}": it lacks ${missing.length} of ${listed.size} artifacts, ` +
        `expected all of run ${run}: ${missing.join(", ")}`,
    ),
    { help: "The download was incomplete. Run the failed job again." },
  );
}

/** Another process that fetches MySQL's packages, so that a test sees who waits for it. */
import { join } from "@std/path";
import { inStaging } from "../lib/cache.ts";
import type { Report } from "../lib/report.ts";

/** A fetch that ends as soon as somebody reports a line, such as that it is waited for. */
export interface FetchingPackages {
  /** Where the packages will be. */
  unpacked: string;
  report: Report;
  /** What was reported. */
  lines: string[];
  /** Resolves when the fetch has ended. */
  ended: Promise<unknown>;
}

/** Begins to fetch into a cache folder. */
export async function fetchPackagesElsewhere(cache: string): Promise<FetchingPackages> {
  const unpacked = join(cache, "mysql-packages-9.9.9");
  const [begun, noticed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = inStaging(cache, "mysql-packages", async () => {
    begun.resolve();
    await noticed.promise;
    await Deno.mkdir(unpacked);
  });
  await begun.promise;
  const lines: string[] = [];
  const report = {
    line: (text: string) => {
      lines.push(text);
      noticed.resolve();
    },
    progress: () => {},
  };
  return { unpacked, report, lines, ended };
}

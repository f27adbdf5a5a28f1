/** Returns a configuration for Hugo, beside the site's own, that has the runs and what is derived elsewhere. */
export function siteMounts(
  { runs, local, derived }: { runs: string; local?: string; derived: string },
): string {
  const mounts: [source: string, target: string][] = [
    ["static", "static"],
    ["assets", "assets"],
    [`${derived}/data`, "data/derived"],
    [`${derived}/assets`, "assets/derived"],
    [`${derived}/static`, "static"],
    [runs, "static/runs"],
    ...local === undefined ? [] : [[local, "static/runs"] satisfies [string, string]],
  ];
  return mounts.map(([source, target]) =>
    `[[module.mounts]]\nsource = ${JSON.stringify(source)}\ntarget = "${target}"\n`
  ).join("");
}

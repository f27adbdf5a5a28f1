/** Returns a configuration for Hugo, beside the site's own, that has the runs, the measurements of noise, and what is derived elsewhere. */
export function siteMounts(
  { runs, local, noise, derived }: {
    runs: string;
    local?: string;
    noise?: string;
    derived: string;
  },
): string {
  const mounts: [source: string, target: string][] = [
    ["static", "static"],
    ["assets", "assets"],
    [`${derived}/data`, "data/derived"],
    [`${derived}/assets`, "assets/derived"],
    [`${derived}/static`, "static"],
    [runs, "static/runs"],
    ...noise === undefined ? [] : [[noise, "static/noise"] satisfies [string, string]],
    ...local === undefined ? [] : [[local, "static/runs"] satisfies [string, string]],
  ];
  return mounts.map(([source, target]) =>
    `[[module.mounts]]\nsource = ${JSON.stringify(source)}\ntarget = "${target}"\n`
  ).join("");
}

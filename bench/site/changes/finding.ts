/** Which implementations differ measurably from the runs before? In one sentence without its period. */
import { list, proseNames } from "../../results/words.ts";

/** An implementation in both runs, or in one. */
interface Changed {
  name: string;
  state: string;
  levels: { connections: number; verdict?: string }[];
}

/** Returns which implementations improved and regressed, and at which levels; only their number if there are many. */
export function changesFinding(impls: readonly Changed[]): string {
  const compared = impls.filter(({ state }) => state === "compared");
  const names = proseNames(impls.map(({ name }) => name));
  const changed = compared.flatMap(({ name, levels }) => {
    const parts = (["faster", "slower"] as const).flatMap((wanted) => {
      const at = levels.filter(({ verdict }) => verdict === wanted)
        .map(({ connections }) => connections);
      return at.length === 0 ? [] : [`${wanted} at ${list(at)} connections`];
    });
    return parts.length === 0 ? [] : [`${names.get(name)} is ${parts.join(", ")}`];
  });
  if (compared.every(({ levels }) => levels.every(({ verdict }) => verdict === undefined))) {
    return "One earlier run does not tell how far runs differ, so no change is claimed";
  }
  if (changed.length === 0) return "No measurable difference from the runs before";
  return changed.length > 3
    ? `${changed.length} of ${compared.length} implementations differ from the runs before`
    : `Compared with the runs before, ${changed.join("; ")}`;
}

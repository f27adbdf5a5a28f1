/** What a person asked of `bench`: one implementation or all, how much of what, or a run to complete. */
import type { Command } from "commander";
import {
  defaultLevels,
  isProfileName,
  type PlanOverrides,
  type ProfileName,
  profiles,
} from "../results/plan.ts";
import { profileOf } from "./arguments.ts";

/** What a person asked for. */
export interface BenchRequest extends PlanOverrides {
  implId?: string;
  /** Its id; the default one unless told. */
  scenario?: string;
  all?: boolean;
  profile?: ProfileName;
  resume?: string;
  /** Of the run that this is a part of: jobs of one workflow share it. */
  runId?: string;
}

/** Makes sense of what was typed, or ends the program with what is wrong. */
export function requestOf(
  first: string | undefined,
  second: string | undefined,
  { scenario, all, resume, runId, levels, requests, warmUp: warmUpRequests, pool: poolMax }: Flags,
  self: Command,
): BenchRequest {
  // `bench --all quick`: the only word is the profile.
  const [implId, word] = second === undefined && first !== undefined && isProfileName(first)
    ? [undefined, first]
    : [first, second];
  const profile = word === undefined ? undefined : profileOf(word, "full", self);
  if (implId !== undefined && all) {
    self.error(`error: "${implId}" and --all are given, expected one of them`);
  }
  const counts = { levels, requests, warmUpRequests, poolMax };
  if (
    resume !== undefined && [word, scenario, ...Object.values(counts)].some((v) => v !== undefined)
  ) {
    self.error(
      "error: a profile, scenario or count is given with --resume, which takes those of its run",
    );
  }
  if (resume !== undefined && runId !== undefined) {
    self.error("error: --resume and --run-id are given, expected one of them");
  }
  const highest = Math.max(...(levels ?? defaultLevels));
  const measured = requests ?? profiles[profile ?? "full"].requests;
  if (measured < highest) {
    self.error(
      `error: ${measured} requests for ${highest} connections, expected at least one for each`,
    );
  }
  return { implId, scenario, profile, all, resume, runId, ...counts };
}

interface Flags {
  scenario?: string;
  all?: boolean;
  resume?: string;
  runId?: string;
  levels?: number[];
  requests?: number;
  warmUp?: number;
  pool?: number;
}

/** A request to `bench`: one implementation, some or all of them, a plan, or a run to resume. */
import type { Command } from "commander";
import type { PlanOverrides } from "../results/plan.ts";
import { isProfileName, type ProfileName } from "../results/profiles.ts";
import { runIdOfAttempt } from "../results/store.ts";
import { profileOf } from "./arguments.ts";

/** What a person asked for. */
export interface BenchRequest extends PlanOverrides {
  /** Each once; absent where all are measured, or those of the run to resume. */
  implIds?: string[];
  /** Its id; the default scenario by default. */
  scenario?: string;
  all?: boolean;
  profile?: ProfileName;
  resume?: string;
  /** The run that the result belongs to: the jobs of one workflow share it. */
  runId?: string;
  /** A branch, tag or commit whose sources are measured in place of those that are checked out. */
  base?: string;
  /** The id of the article whose settings are measured. */
  reproduces?: string;
  /** Which of the machines that measure the same in one run, from 1. */
  replica?: number;
  /** A complete result is good, also if a part of it is invalid. */
  acceptInvalid?: boolean;
}

/** Validates the command line, or ends the program with a usage error. */
export function requestOf(
  first: string | undefined,
  second: string | undefined,
  {
    scenario,
    all,
    resume,
    runId,
    attempt,
    replica,
    base,
    reproduces,
    levels,
    requests,
    warmUp: warmUpRequests,
    pool: poolMax,
    acceptInvalid,
  }: Flags,
  self: Command,
): BenchRequest {
  // `bench --all quick`: the only word is the profile.
  const [list, word] = second === undefined && first !== undefined && isProfileName(first)
    ? [undefined, first]
    : [first, second];
  const profile = word === undefined ? undefined : profileOf(word, "full", self);
  if (list !== undefined && all) {
    self.error(`error: "${list}" and --all are given, expected one of them`);
  }
  if (resume !== undefined && all) {
    self.error(
      "error: --resume and --all are given, expected one of them: a run has its implementations",
    );
  }
  const implIds = list?.split(",");
  if (implIds?.includes("")) {
    self.error(
      `error: implementations are "${list}", expected ids with a comma between two, like deno,node`,
    );
  }
  const counts = { levels, requests, warmUpRequests, poolMax };
  if (
    resume !== undefined &&
    [word, scenario, reproduces, ...Object.values(counts)].some((v) => v !== undefined)
  ) {
    self.error(
      "error: a profile, scenario or count is given with --resume, which takes those of its run",
    );
  }
  if (reproduces !== undefined && implIds === undefined) {
    self.error(
      `error: --reproduces ${reproduces} needs an implementation that the article measured`,
    );
  }
  if (resume !== undefined && runId !== undefined) {
    self.error("error: --resume and --run-id are given, expected one of them");
  }
  if (attempt !== undefined && runId === undefined) {
    self.error("error: --attempt is given without --run-id, expected both");
  }
  if (replica !== undefined && runId === undefined && resume === undefined) {
    self.error("error: --replica is given without a run, expected --run-id or --resume, too");
  }
  if (base !== undefined && (resume !== undefined || runId !== undefined)) {
    self.error("error: --base is given with --resume or --run-id, expected neither");
  }
  return {
    scenario,
    profile,
    all,
    resume,
    replica,
    base,
    reproduces,
    acceptInvalid,
    ...counts,
    implIds: implIds && [...new Set(implIds)],
    runId: runId === undefined ? undefined : runIdOfAttempt(runId, attempt ?? 1),
  };
}

interface Flags extends Pick<BenchRequest, "acceptInvalid"> {
  scenario?: string;
  all?: boolean;
  resume?: string;
  runId?: string;
  attempt?: number;
  replica?: number;
  base?: string;
  reproduces?: string;
  levels?: number[];
  requests?: number;
  warmUp?: number;
  pool?: number;
}

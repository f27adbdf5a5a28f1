/** Sections: every figure of a comment, for those who unfold it. */
import { machineOf } from "../../results/comparable.ts";
import type { ComparisonFile } from "../../results/files_schema.ts";
import { type ColdStart, coldStartAt, warmGoodputAt } from "../../results/goodput.ts";
import { isGeneratorBound, lastRepetition, outcomeOf } from "../../results/outcome.ts";
import { partsDone } from "../../results/parts_done.ts";
import type { Level, Result } from "../../results/result_schema.ts";
import { partText, versionsOf } from "../../results/versions.ts";
import { boundOf, capitalise, list } from "../../results/words.ts";
import { code, codeBlock, number } from "../markdown.ts";
import type { WithBases } from "./bases.ts";
import { maxRows, renderControl, renderRatio, rows } from "./parts.ts";
import { renderSteps } from "./steps.ts";

/** Groups results: a failed build is reported once for all scenarios of an implementation; other results separately. */
export function sameFailure(result: Result): string | Result {
  const { impl, failure, levels } = result;
  return failure?.stage === "build" && levels.length === 0
    ? JSON.stringify([impl.id, failure.message])
    : result;
}

/** Returns the section of results that have one failure in common, or of one. */
export function renderResults(
  results: Result[],
  bases: WithBases["bases"] = new Map(),
): string {
  const [result] = results as [Result];
  const { impl, plan, failure, levels } = result;
  const { done, planned, name: what } = partsDone(result);
  const scenarios = [...new Set(results.map(({ scenario }) => code(scenario)))];
  const parts = [`### ${code(impl.id)}: ${list(scenarios)}, profile ${plan.profile}`];
  if (failure !== undefined) {
    parts.push(
      `**Failed at ${failure.stage}**: ${code(failure.message)}` +
        (failure.detail === "" ? "" : `\n\n${codeBlock(failure.detail)}`),
    );
  }
  parts.push(renderContract(result));
  if (levels.length > 0) parts.push(renderLevels(result));
  const base = bases.get(result);
  const steps = renderSteps(result, base);
  if (steps !== undefined) parts.push(steps);
  if (steps !== undefined && base !== undefined) parts.push(meaningOfBase(base));
  if (done < planned) parts.push(`${capitalise(what)} not measured: ${number(planned - done)}.`);
  parts.push(renderVersions(result));
  return parts.join("\n\n");
}

function renderContract({ verification }: Result): string {
  if (verification === undefined) return "Contract: not checked.";
  const { problems, outage } = verification;
  const unchecked = outage === "not-checked" ? " Loss of the database was not checked." : "";
  if (problems.length === 0) return `Contract: all checks passed.${unchecked}`;
  const checks = [...new Set(problems.map(({ check }) => check))];
  const left = checks.length > maxRows ? `, and ${number(checks.length - maxRows)} more` : "";
  return `Contract: **checks failed: ${number(problems.length)}**.${unchecked} ` +
    `${checks.slice(0, maxRows).map(code).join(", ")}${left}.`;
}

function renderLevels(result: Result): string {
  const sorted = result.levels.toSorted((a, b) => a.connections - b.connections);
  const table =
    "| connections | warm: ratio to the control | warm: answers/s | cold: answers/s | cold of warm | cold: failed | cold: p99 ms |\n" +
    "| ---: | :--- | :--- | ---: | ---: | ---: | ---: |\n" +
    rows(sorted, (level) => renderLevel(result, level));
  return [table, meaningOf(result)].join("\n\n");
}

function renderLevel(result: Result, level: Level): string {
  const { connections } = level;
  const { observation } = lastRepetition(level);
  const failed = observation === undefined
    ? "–"
    : number(observation.attempted - observation.correct);
  const outcome = outcomeOf(level);
  if ("missing" in outcome) {
    return `| ${number(connections)} | **invalid** | – | – | – | ${failed} | – |`;
  }
  const { goodputPerSecond, latencySeconds } = outcome.value.figures;
  const least = isGeneratorBound(result, connections) ? "at least " : "";
  const warm = warmGoodputAt(result, connections);
  const coldStart = coldStartAt(result, connections);
  return `| ${number(connections)} | ${renderControl(result, connections)} | ` +
    ("value" in warm
      ? `${least}${number(warm.value.estimate)} (${number(warm.value.low)}–${
        number(warm.value.high)
      })`
      : "–") +
    ` | ${least}${number(goodputPerSecond)} | ` +
    ("value" in coldStart ? formatShare(coldStart.value) : "–") +
    ` | ${failed} | ${boundOf(latencySeconds, "p99")}${number(latencySeconds.p99 * 1000, 2)} |`;
}

function formatShare({ share, low, high }: ColdStart): string {
  return `${number(100 * share)} % (${number(100 * low)}–${number(100 * high)})`;
}

/** Returns what cold and warm are, for those who read nothing else. */
function meaningOf({ plan: { warmUpRequests, requests } }: Result): string {
  return "Warm: from alternating slices of load on warm processes, with the interval of this run. " +
    `Cold: one load of ${number(requests)} requests on a fresh process after ` +
    `${number(warmUpRequests)} warm-up requests, without an interval. Cold of warm: in ` +
    "parentheses, where one more round of warm processes would lie, 19 times in 20.";
}

/** Returns why two results stand beside each other without a verdict. */
function meaningOfBase({ provenance: { implCommit = "" } }: Result): string {
  return `Base: the implementation at ${
    implCommit.slice(0, 7)
  }, measured after the head in the same job. The two were ` +
    "not loaded alternately, so their difference has no interval, and there is no verdict.";
}

/** Returns the section of a comparison. */
export function renderComparison(
  { scenario, subject, reference, levels, plan }: ComparisonFile,
): string {
  const name = subject.id === reference.id ? "its base" : code(reference.id);
  const what = `### ${code(subject.id)}: ${code(scenario)}, compared with ${name} ` +
    `(${reference.commit.slice(0, 7)})`;
  const [seconds, least] = [plan.budgetSeconds, plan.minRounds].map((value) => number(value));
  const shown = rows(levels, ({ connections, rounds, cpuPerAnswer }) => {
    const cpu = cpuPerAnswer === undefined ? "" : `; CPU per answer ${renderRatio(cpuPerAnswer)}`;
    return `- ${number(connections)} connections: ${number(rounds.length)} rounds${cpu}`;
  });
  return `${what}\n\n${shown}\n\n` +
    "Warm throughput with the interval of this run, measured in alternating slices, in rounds that begin " +
    `within ${seconds} s, at least ${least}.`;
}

function renderVersions(result: Result): string {
  const { framework, driver, jwt, client, runtime, database } = versionsOf(result);
  const parts = [framework, driver, jwt, client, runtime, database]
    .filter((part) => part !== undefined)
    .map((part) =>
      code(part.version === undefined ? `${part.name} (version unknown)` : partText(part))
    );
  return `${parts.join(", ")}; ${code(machineOf(result.machine))}.`;
}

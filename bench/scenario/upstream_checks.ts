/** Checks of servers that call an upstream, of its connections and during its faults. Gateways and notifiers share them. */
import type { Problem } from "../results/result_schema.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { collapse, type Found, judgeAlive, TargetGone, untilEnded } from "./checks.ts";
import type { CheckOptions, Target } from "./scenario.ts";

const inARow = 40;
/** How long an answer may take while other calls hang. */
export const meanwhileMs = 2_000;

/**
 * Checks that calls one after the other share connections; each process of a server may have some of its own.
 *
 * @param requests What is sent, in a sentence after its number.
 * @param call Has the server make one call, the first, second and so on; resolves to false if it did not: other checks
 * say so.
 */
export async function verifyUpstreamConnections(
  upstream: Upstream,
  requests: string,
  call: (count: number) => Promise<boolean>,
): Promise<Found> {
  await upstream.clearCounts();
  for (let count = 1; count <= inARow; count++) if (!await call(count)) return undefined;
  const { connections } = await upstream.counts();
  if (connections <= inARow / 2) return undefined;
  return {
    check: "keep-alive to the upstream",
    sent: `${inARow} ${requests}`,
    came: `${connections} connections to the upstream were opened`,
    expected: `at most ${inARow / 2}`,
  };
}

/** Checks a server while some of its calls meet faults, then while its upstream is gone, and that it lives. */
export async function verifyDuringFaults(
  target: Target,
  requests: string,
  checks: Record<"misbehaving" | "gone", () => Promise<Found[]>>,
  { report }: CheckOptions,
): Promise<Problem[]> {
  const found: Found[] = [];
  try {
    report.line("The upstream misbehaves");
    found.push(...await checks.misbehaving());
    report.line("Stopping the upstream");
    found.push(...await checks.gone());
  } catch (error) {
    if (!(error instanceof TargetGone)) throw error;
    found.push(error.problem);
    await untilEnded(target);
  }
  found.push(judgeAlive(target, "upstream gone", `${requests} during faults`));
  return collapse(found);
}

/** Says of what was found within {@linkcode meanwhileMs} that other calls hung then. */
export function whileOthersHung(found: Found): Found {
  if (found === undefined) return undefined;
  const came = found.came.replace("within 10 s", `within ${meanwhileMs / 1000} s`);
  return { ...found, came: `${came}, while other calls hung` };
}

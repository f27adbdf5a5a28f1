/** Descriptors: may a process open as many files as the loads of a plan need? Takes the plan and the scenario's contract. */
import { openFilesLimit, requireOpenFiles } from "../machine/open_files.ts";
import type { Plan } from "../results/result_schema.ts";
import { type Contract, descriptorsEach } from "../scenario/words.ts";
import { limitConnections } from "./upstream_limit.ts";

/** What `GET /check/<id>` of the upstream takes. */
const checkSeconds = 0.1;

/** @throws {BenchError} when it may not. */
export async function requireDescriptors(
  { levels, deliveries }: Pick<Plan, "levels" | "deliveries">,
  contract: Pick<Contract, "needs">,
): Promise<void> {
  const limit = await openFilesLimit();
  requireOpenFiles(limit, Math.max(0, ...levels), descriptorsEach(contract));
  if (contract.needs.includes("upstream")) requireOpenFiles(limit, limitConnections, 1);
  if (deliveries === undefined) return;
  // A server has those over which it accepts, and one for each call that it makes meanwhile.
  const most = Math.max(...deliveries.steps.map(({ ratePerSecond }) => ratePerSecond));
  requireOpenFiles(limit, deliveries.connections + Math.ceil(most * checkSeconds), 1);
}

/** Descriptors: may a process open as many files as the loads of a plan need? Takes the plan and the scenario's contract. */
import { requireFileDescriptors } from "../machine/describe.ts";
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
  await requireFileDescriptors(Math.max(0, ...levels), descriptorsEach(contract));
  if (contract.needs.includes("upstream")) await requireFileDescriptors(limitConnections, 1);
  if (deliveries === undefined) return;
  // A server has those over which it accepts, and one for each call that it makes meanwhile.
  const most = Math.max(...deliveries.steps.map(({ ratePerSecond }) => ratePerSecond));
  await requireFileDescriptors(deliveries.connections + Math.ceil(most * checkSeconds), 1);
}

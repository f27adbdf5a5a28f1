import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { allEnded, burstSize, type Found } from "./checks.ts";

const bursts = 4;

/**
 * Checks that a server's pool stays within its limit while many requests come at once.
 *
 * @param account The server's database account.
 * @param sendBurst Sends {@linkcode burstSize} requests at once, and judges the answers.
 */
export async function verifyBursts(
  { connection, account, poolMax }: { connection: Connection; account: string; poolMax: number },
  sendBurst: (check: string) => Promise<Found[]>,
): Promise<Found[]> {
  const check = `${burstSize} requests at once`;
  const found: Found[] = [];
  let peak = 0;
  for (let burst = 0; burst < bursts; burst++) {
    const count = () => countConnections(connection, account);
    const [answers, during] = await allEnded([sendBurst(check), count()]);
    found.push(...answers);
    peak = Math.max(peak, during, await count());
  }
  if (peak > poolMax) {
    found.push({
      check: "size of the pool",
      sent: check,
      came: `the server holds ${peak} connections to the database`,
      expected: `at most ${poolMax} (DB_POOL_MAX)`,
    });
  }
  return found;
}

const processesSchema = z.array(z.object({ Id: z.number(), User: z.string() }));

/** Returns how many connections an account has, without the harness's own where both are one. */
async function countConnections(connection: Connection, account: string): Promise<number> {
  const [rows] = await connection.query("SHOW PROCESSLIST");
  const processes = processesSchema.parse(rows);
  const own = processes.find(({ Id }) => Id === connection.threadId)?.User;
  const count = processes.filter(({ User }) => User === account).length;
  // If the harness has no account of its own, up to two of these connections are its own: this one, and a level's.
  return own === account ? Math.max(0, count - 2) : count;
}

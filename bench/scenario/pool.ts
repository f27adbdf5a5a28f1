import type { Connection } from "mysql2/promise";
import { z } from "zod";

const processesSchema = z.array(z.object({ Id: z.number(), User: z.string() }));

/** Returns how many connections an account has, without the harness's own where both are one. */
export async function countConnections(connection: Connection, account: string): Promise<number> {
  const [rows] = await connection.query("SHOW PROCESSLIST");
  const processes = processesSchema.parse(rows);
  const own = processes.find(({ Id }) => Id === connection.threadId)?.User;
  const count = processes.filter(({ User }) => User === account).length;
  // If the harness has no account of its own, up to two of these connections are its own: this one, and a level's.
  return own === account ? Math.max(0, count - 2) : count;
}

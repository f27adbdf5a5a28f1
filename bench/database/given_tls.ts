/**
 * TLS of a given server. Private servers have none, and some drivers encrypt wherever a server can: on a server with
 * TLS, those would be measured with work that the others do not do.
 */
import type { Connection } from "mysql2/promise";
import { connectTo } from "./connection.ts";
import type { DatabaseAddress } from "./database.ts";
import { readVariable } from "./query_rows.ts";
import { messageOf } from "../lib/error.ts";
import type { Report } from "../lib/report.ts";

/** The hosts to which a connection leaves no machine. */
const loopback = ["127.0.0.1", "::1", "localhost"];

/**
 * Turns TLS off for new connections, and returns what restores it; undefined where it stays as it is, which is said.
 * Over a network, it stays on.
 */
export async function turnOffTls(
  connection: Connection,
  address: DatabaseAddress,
  report: Report,
): Promise<(() => Promise<void>) | undefined> {
  const versions = await readVariable(connection, "tls_version");
  // Without TLS, there is none, or it is empty.
  if (!versions) return undefined;
  const stays = (reason: string) => {
    report.line(
      `TLS stays on at the server of DATABASE_URL: ${reason}; drivers that prefer it are measured with it`,
    );
    return undefined;
  };
  if (!loopback.includes(address.host)) return stays(`"${address.host}" is another machine`);
  try {
    await connection.query("SET GLOBAL tls_version = ''");
    // No version is an error to this statement, and an error that is not rolled back turns TLS off.
    await connection.query("ALTER INSTANCE RELOAD TLS NO ROLLBACK ON ERROR");
  } catch (error) {
    // Where the second statement failed, the variable would say what is not so.
    await connection.query("SET GLOBAL tls_version = ?", [versions]).catch(() => {});
    return stays(messageOf(error));
  }
  return async () => {
    try {
      await using again = await connectTo(address);
      await again.query("SET GLOBAL tls_version = ?", [versions]);
      await again.query("ALTER INSTANCE RELOAD TLS");
    } catch (error) {
      const is = messageOf(error);
      report.line(`Cannot turn on TLS of DATABASE_URL: ${is}, expected tls_version = ${versions}`);
    }
  };
}

/** A database, whichever provider it comes from. */
import type { Connection } from "mysql2/promise";
import type { Report } from "../lib/report.ts";

export const providerNames = ["DATABASE_URL", "mysqld", "packages", "docker", "podman"] as const;
export type ProviderName = typeof providerNames[number];

/** What an implementation is given: the parts of `DATABASE_URL`. */
export interface DatabaseAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  name: string;
}

/** A running server. */
export interface Database extends AsyncDisposable {
  readonly provider: ProviderName;
  /** The address for implementations; on a server started here, the user has rights on one schema only. */
  readonly address: DatabaseAddress;
  /** The address as `mysql://…`. */
  readonly url: string;
  readonly engine: "MySQL" | "MariaDB";
  readonly version: string;
  /** The server variables that affect results. */
  readonly variables: Record<string, string>;
  /** The server's process, if it was started here; it changes with an outage. */
  readonly pid?: number;
  /**
   * Opens a connection of the harness's own: it reads counters and changes rows.
   *
   * @throws {RunBroken} when the server is lost.
   */
  connect(): Promise<Connection>;
  /** Stops the server and restarts it on the same port; absent if it was not started here. */
  readonly outage?: { stop(): Promise<void>; start(): Promise<void> };
}

/** Options for {@linkcode openDatabase}. */
export interface OpenDatabaseOptions {
  report: Report;
  signal: AbortSignal;
  /** Deno's own environment by default. */
  env?: Record<string, string>;
  /** The initial data of a server started here, as SQL; a given server keeps its data. */
  sql: string;
  /** Scratch folder for data and logs; the server's data are removed with the server. */
  folder: string;
}

/** What `just doctor` shows of one provider. */
export interface ProviderStatus {
  provider: ProviderName;
  available: boolean;
  /** Its place and version, or why it cannot be used. */
  detail: string;
  /** How to get it, if it is not available. */
  help?: string;
}

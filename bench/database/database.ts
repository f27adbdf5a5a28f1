/** What a database is to those who use one, whoever provides it. */
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

/** A server that answers, and what is known about it. */
export interface Database extends AsyncDisposable {
  readonly provider: ProviderName;
  /** The user has rights on one schema only, where the server is ours. */
  readonly address: DatabaseAddress;
  /** The address as `mysql://…`. */
  readonly url: string;
  readonly engine: "MySQL" | "MariaDB";
  readonly version: string;
  /** The server variables that bear on a result. */
  readonly variables: Record<string, string>;
  /** The server's process, where it is ours; another one after an outage. */
  readonly pid?: number;
  /**
   * Opens a connection of the harness's own: it reads counters and changes rows.
   *
   * @throws {RunBroken} when the server is lost.
   */
  connect(): Promise<Connection>;
  /** Takes the server away and brings it back on the same port; absent where the server is not ours. */
  readonly outage?: { stop(): Promise<void>; start(): Promise<void> };
}

/** Options for {@linkcode openDatabase}. */
export interface OpenDatabaseOptions {
  report: Report;
  signal: AbortSignal;
  /** Deno's own environment unless told. */
  env?: Record<string, string>;
  /** What a server of ours begins with, as SQL; of one that is given, the data are not ours. */
  sql: string;
  /** Scratch folder for data and logs; what is made there for the server goes with the server. */
  folder: string;
}

/** What `just doctor` shows of one provider. */
export interface ProviderStatus {
  provider: ProviderName;
  available: boolean;
  /** Where it is and which version, or why it cannot be used. */
  detail: string;
  /** How to get it, where it is not available. */
  help?: string;
}

/** A database, whichever provider it comes from. */
import type { Connection } from "mysql2/promise";
import type { Report } from "../lib/report.ts";

/** Where a database comes from. */
export type ProviderName = "DATABASE_URL" | "mysqld" | "packages" | "docker" | "podman";

/** What an implementation is given: the parts of `DATABASE_URL`. */
export interface DatabaseAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  name: string;
}

/** Rights on one table, as SQL has them. */
export interface Grant {
  table: string;
  rights: readonly ("SELECT" | "INSERT" | "UPDATE" | "DELETE")[];
}

/** The servers that use a database at the same time: the one that is measured, and what it is compared with. */
export const sideNames = ["subject", "reference"] as const;
export type SideName = typeof sideNames[number];

/** Returns the side that one is compared with. */
export function otherSide(name: SideName): SideName {
  return name === "subject" ? "reference" : "subject";
}

/**
 * Whose statements the counters count. `account`: those of one side's account alone. `server`: those of all clients
 * together, minus the harness's own.
 */
export type Counting =
  | { readonly per: "account" }
  | {
    readonly per: "server";
    /** Why each account's are not counted, as the end of a sentence. */
    readonly reason: string;
  };

/** A running server. */
export interface Database extends AsyncDisposable {
  readonly provider: ProviderName;
  /**
   * An account for each side, with exactly the rights that were asked for. Both are the user of
   * DATABASE_URL where that user may not create accounts.
   */
  readonly accounts: Readonly<Record<SideName, DatabaseAddress>>;
  /** Whether the accounts were created for this database, and so have no other rights. */
  readonly accountsAreOurs: boolean;
  readonly counting: Counting;
  /** The subject's account. */
  readonly address: DatabaseAddress;
  readonly engine: "MySQL" | "MariaDB";
  readonly version: string;
  /** The server variables that affect results. */
  readonly variables: Record<string, string>;
  /** The server's process, if it was started here; it changes with an outage. */
  readonly pid?: number;
  /**
   * Opens a connection of the harness's own: it reads counters and changes rows. Counters of both sides leave out what
   * it does.
   *
   * @throws {RunBroken} when the server is lost.
   */
  connect(): Promise<Connection>;
  /** Stops the server and restarts it on the same port; absent if it was not started here. */
  readonly outage?: Outage;
}

/** Stops and restarts the server. */
export interface Outage {
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Options for {@linkcode openDatabase}. */
export interface OpenDatabaseOptions {
  report: Report;
  signal: AbortSignal;
  /** Deno's own environment by default. */
  env?: Record<string, string>;
  /** The initial data of a server started here, as SQL; a given one gets them if it is empty and ours. */
  sql: string;
  /** The rights of the accounts on the tables. */
  grants: readonly Grant[];
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

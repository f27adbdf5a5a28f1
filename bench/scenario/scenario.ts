import type { Connection } from "mysql2/promise";
import type { Database } from "../database/database.ts";
import type { Process } from "../lib/process.ts";
import type { Report } from "../lib/report.ts";
import type { Problem, Result } from "../results/result_schema.ts";
import type { Contract } from "./words.ts";

/** One job that servers do. The `mod.ts` of its folder exports it as `scenario`. */
export interface Scenario {
  readonly contract: Contract;
  /** Its data in a database; present exactly if its contract needs a database. */
  readonly data?: ScenarioData;
  /**
   * Prepares it for one run.
   *
   * @throws {BenchError} when the database has other data.
   */
  prepare(means: Means): Promise<PreparedScenario>;
}

/** A scenario's data in the database. */
export interface ScenarioData {
  /** Returns the SQL that recreates it. */
  sql(): Promise<string>;
  /**
   * Ensures that it exists, and returns what identifies it. Writes to a private server only.
   *
   * @throws {BenchError} when a given server does not have it.
   */
  ensure(database: Database, options: { signal: AbortSignal }): Promise<DataFacts>;
}

/** What identifies the data of a database. */
export type DataFacts = Pick<NonNullable<Result["database"]>, "rows" | "rowsSha256">;

/** What a scenario needs to be prepared. */
export interface Means {
  /** With the scenario's data; present exactly if its contract needs a database. */
  database?: Database;
  /** The servers' `JWT_SECRET`. */
  secret: string;
  random: () => number;
  /** Folder for the files that a load reads. */
  folder: string;
  signal: AbortSignal;
}

/** A running server, as the contract sees it. */
export interface Target {
  /** Base URL, without a path. */
  url: string;
  process: Process;
}

/** What a side client did during a load. */
export interface SideClientReport {
  requests: number;
  /** TCP connections to the subject; all of them were closed. */
  connections: number;
  /** Statements that the subject must have sent for its requests, all of them prepared. */
  queries: number;
  /** Statements that it sent to the database itself, none prepared. */
  statements: number;
  /** Number of checks by kind. */
  checks: Record<string, number>;
  /** The first problem of each kind. */
  problems: Problem[];
}

/** A client that sends requests with known answers during a load. */
export interface SideClient extends AsyncDisposable {
  /**
   * Stops the client once each kind was checked at least once, after the load if that was shorter (about 3 s).
   * Disposing of the client stops it at once.
   */
  stop(): Promise<SideClientReport>;
}

/** Stops and restarts the database. */
export interface Outage {
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Options for the checks of a {@linkcode PreparedScenario}. */
export interface CheckOptions {
  /** How many database connections the subject may hold. */
  poolMax: number;
  report: Report;
  signal: AbortSignal;
}

/** A request with its correct answer. */
export interface Probe {
  path: string;
  /** A line `Name: value`. */
  header: string;
  body: Uint8Array;
}

/** How a scenario uses its database. */
export interface DatabasePart {
  readonly server: Database;
  /** Statements per request of the load, all of them prepared on the server. */
  readonly queriesPerRequest: number;
  /**
   * Reads all data once, so that it is in the server's memory for every level; otherwise, the first level after a
   * restart of the server pays for reading it.
   */
  warm(connection: Connection): Promise<void>;
  /** Stops the database, always restarts it, and returns every problem. */
  verifyOutage(target: Target, outage: Outage, options: CheckOptions): Promise<Problem[]>;
}

/** A scenario that is prepared for one run. */
export interface PreparedScenario {
  readonly id: string;
  /** The requests of the load: GETs of one path, each with a random line of the file as a header. */
  readonly load: { path: string; headerLinesPath?: string };
  /** The lengths that a correct body of the load can have, in bytes. */
  readonly rightLengths: ReadonlySet<number>;
  /** Absent if it needs none; then no queries are counted. */
  readonly database?: DatabasePart;
  /**
   * A request that tells a working server from one that only listens. New with each call, because its token can
   * expire.
   */
  probe(): Probe;
  /**
   * Checks the contract as far as the database is up, in a few seconds, before and after a load. Returns every
   * problem. Nothing else may use the server or the database meanwhile.
   */
  verifyAnswers(target: Target, options: CheckOptions): Promise<Problem[]>;
  /**
   * Starts the side client, and resolves as its first requests leave. Absent if every answer is the same: then, during a
   * load, wrong bytes of the right length go unseen, and show only before and after it.
   */
  startSideClient?(target: Target, options: { signal: AbortSignal }): Promise<SideClient>;
}

import type { Connection } from "mysql2/promise";
import type { Database } from "../database/database.ts";
import type { Process } from "../lib/process.ts";
import type { Report } from "../lib/report.ts";
import type { Problem, Result } from "../results/result_schema.ts";
import type { Contract } from "./words.ts";

/** One job that servers do. The `mod.ts` of its folder exports it as `scenario`, and nothing else names it. */
export interface Scenario {
  readonly contract: Contract;
  /** What a database holds for it; where its contract needs a database. */
  readonly data?: ScenarioData;
  /**
   * Prepares it for one run.
   *
   * @throws {BenchError} when the data are not those of the scenario.
   */
  prepare(means: Means): Promise<PreparedScenario>;
}

/** What a scenario has in the database. */
export interface ScenarioData {
  /** Returns the SQL that makes it, whatever was there before. */
  sql(): Promise<string>;
  /**
   * Makes sure that it is there, and returns what tells it from other data. Writes to a server of ours only.
   *
   * @throws {BenchError} when a server that is not ours does not have it.
   */
  ensure(database: Database, options: { signal: AbortSignal }): Promise<DataFacts>;
}

/** What tells one content of the database from another. */
export type DataFacts = Pick<NonNullable<Result["database"]>, "rows" | "rowsSha256">;

/** What a scenario is prepared with. */
export interface Means {
  /** With the scenario's data; where its contract needs a database. */
  database?: Database;
  /** What servers are given as `JWT_SECRET`. */
  secret: string;
  random: () => number;
  /** For the files that a load reads. */
  folder: string;
  signal: AbortSignal;
}

/** A running server, as the contract sees it. */
export interface Target {
  /** Base URL, without a path. */
  url: string;
  process: Process;
}

/** What a side client did beside a load. */
export interface SideClientReport {
  requests: number;
  /** TCP connections to the subject; all of them were closed. */
  connections: number;
  /** Statements that its requests must have made the subject send, all of them prepared. */
  queries: number;
  /** Statements that it sent to the database itself, none of them prepared. */
  statements: number;
  /** How often each kind was asked. */
  checks: Record<string, number>;
  /** The first problem of each kind. */
  problems: Problem[];
}

/** A client that asks what it knows the answer to while a load runs. */
export interface SideClient extends AsyncDisposable {
  /**
   * Ends the client once it has asked each kind at least once; after a load shorter than that (about 3 s),
   * the rest is asked after the load. Disposing of the client ends it at once.
   */
  stop(): Promise<SideClientReport>;
}

/** The means to take the database away and to bring it back. */
export interface Outage {
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Options for the checks of a {@linkcode PreparedScenario}. */
export interface CheckOptions {
  /** How many connections to the database the subject may hold. */
  poolMax: number;
  report: Report;
  signal: AbortSignal;
}

/** A request with its right answer. */
export interface Probe {
  path: string;
  /** A line `Name: value`. */
  header: string;
  body: Uint8Array;
}

/** What a scenario has to do with its database. */
export interface DatabasePart {
  readonly server: Database;
  /** Statements for each request of the load, all of them prepared on the server. */
  readonly queriesPerRequest: number;
  /**
   * Reads all data once, so that every level finds it in the server's memory: without this, the first level after
   * a restart of the server pays for reading it.
   */
  warm(connection: Connection): Promise<void>;
  /** Takes the database away, and brings it back whatever happens; gives every problem at once. */
  verifyOutage(target: Target, outage: Outage, options: CheckOptions): Promise<Problem[]>;
}

/** A scenario that is prepared for one run. */
export interface PreparedScenario {
  readonly id: string;
  /** The requests of the load: GETs of one path, each with one line of the file, chosen at random, as a header. */
  readonly load: { path: string; headerLinesPath?: string };
  /** In bytes: the lengths that a right body of the load can have. */
  readonly rightLengths: ReadonlySet<number>;
  /** Absent where it needs none: then no query is counted. */
  readonly database?: DatabasePart;
  /** Tells a server that works from one that only listens. Made anew by each call: what proves who asks can expire. */
  probe(): Probe;
  /**
   * Checks all that a server with a living database can show, in a few seconds: before a load, after it.
   * Gives every problem at once. Nothing else may use the server or the database meanwhile.
   */
  verifyAnswers(target: Target, options: CheckOptions): Promise<Problem[]>;
  /** Resolves as its first requests leave; absent where each answer is the same, and its length tells. */
  startSideClient?(target: Target, options: { signal: AbortSignal }): Promise<SideClient>;
}

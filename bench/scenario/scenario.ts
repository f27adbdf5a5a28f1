import type { Process } from "../lib/process.ts";
import type { Report } from "../lib/report.ts";
import type { Problem } from "../results/result_schema.ts";

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

/** One job with its contract, prepared for one table and one secret. */
export interface PreparedScenario {
  readonly id: string;
  /** What the load requests. */
  readonly path: string;
  /** In bytes: the lengths that a right body of the load can have. */
  readonly rightLengths: ReadonlySet<number>;
  /** Tells a server that works from one that only listens. Made anew by each call: what proves who asks can expire. */
  probe(): Probe;
  /**
   * Checks all that a server with a living database can show, in a few seconds: before a load, after it.
   * Gives every problem at once. Nothing else may use the server or the database meanwhile.
   */
  verifyAnswers(target: Target, options: CheckOptions): Promise<Problem[]>;
  /** Takes the database away, and brings it back whatever happens; gives every problem at once. */
  verifyOutage(target: Target, outage: Outage, options: CheckOptions): Promise<Problem[]>;
  /** Resolves once its connection to the database is open, as its first requests leave. */
  startSideClient(target: Target, options: { signal: AbortSignal }): Promise<SideClient>;
}

import type { Connection } from "mysql2/promise";
import type { Database, Outage, SideName } from "../database/database.ts";
import type { PreparedStatement } from "../database/prepared_statements.ts";
import type { Process } from "../lib/process.ts";
import type { Report } from "../lib/report.ts";
import type { Problem, Result } from "../results/result_schema.ts";
import type { Upstream } from "../upstream/upstream.ts";
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
   * Ensures that it exists, and returns what identifies it, if it is not empty. Writes to a private server only.
   *
   * @throws {BenchError} when a given server does not have it.
   */
  ensure(database: Database, options: { signal: AbortSignal }): Promise<DataFacts>;
}

/** What identifies the data of a database. */
export type DataFacts = Partial<Pick<NonNullable<Result["database"]>, "rows" | "rowsSha256">>;

/** What a scenario needs to be prepared. */
export interface Means {
  /** With the scenario's data; present exactly if its contract needs a database. */
  database?: Database;
  /** One for each side; present exactly if its contract needs an upstream. */
  upstreams?: Upstreams;
  /** The servers' `JWT_SECRET`. */
  secret: string;
  random: () => number;
  /** Folder for the files that a load reads. */
  folder: string;
  signal: AbortSignal;
}

/** What each side's server calls. */
export type Upstreams = Readonly<Record<SideName, Upstream>>;

/** A running server, as the contract sees it. */
export interface Target {
  /** Base URL, without a path. */
  url: string;
  process: Process;
}

/** The requests of a load, in a file of JSON Lines; see `load/oha.ts`. */
export interface RequestFile {
  readonly path: string;
  /** Number of lines. */
  readonly lines: number;
  /** The next line, from 0, that no load has read; loads advance it, and after the last comes the first again. */
  nextLine: number;
  /** Whether the last line has been read, so that what comes next was sent before; absent where it has not. */
  isReadToEnd?: boolean;
}

/** The answers of one load, a column for each fact; times are those of `performance.now()`, in milliseconds. */
export interface Answers {
  /** The line of the {@linkcode RequestFile} that was answered, from 0. */
  line: Uint32Array;
  status: Uint16Array;
  bodyBytes: Uint32Array;
  /** CRC-32 (IEEE) of the body as received; 0 for an empty one. */
  bodyCrc32: Uint32Array;
  /** When the request was sent. */
  startMs: Float64Array;
  /** When the answer had been received. */
  endMs: Float64Array;
}

/** What the answers of a load tell. */
export interface Witnessed {
  /** 1 for each right answer, in the order of the answers. */
  isRight: Uint8Array;
  /** Number of wrong answers by kind, such as "another-record", "stale-record", "not-refused", "status-500". */
  wrong: Record<string, number>;
  /** The first wrong answer of each kind: the request, what came, and what was right. */
  problems: Problem[];
  /** Statements that a server sends for these requests if it does the job: one for each that must reach the database. */
  statements: number;
  /** Requests that were rightly refused (401, 404). */
  refused: number;
  /** Changes of rows that waited for a lock of the server's while the load ran; absent where rows do not change. */
  rowLocks?: number;
  /** The longest time in which no row changed while the load ran; likewise. */
  rowsStillSeconds?: number;
}

/** Options for the checks of a {@linkcode PreparedScenario}. */
export interface CheckOptions {
  /** How many database connections the target may hold. */
  poolMax: number;
  /** Whose database account and upstream the target uses; the subject's by default. */
  side?: SideName;
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

/** What users of a burst ask for, and which answers are right. */
export interface BurstPart {
  /** Returns the path that each of so many users asks for, to wait for about so many seconds. */
  paths(users: number, delaySeconds: number): string[];
  /** Returns what is wrong with an answer of status 200, its kind as `check`; undefined if it is right. */
  judge(path: string, answer: BurstAnswer): Problem | undefined;
}

/** An answer to a user of a burst. */
export interface BurstAnswer {
  /** Its first 64 bytes as text. */
  body: string;
  /** When all of it had come, since its request was about to be sent. */
  afterSeconds: number;
}

/** How a scenario uses its database. */
export interface DatabasePart {
  readonly server: Database;
  /**
   * Each request writes one row, in a transaction of its own: statements around it are allowed, and counted apart.
   */
  readonly writes?: true;
  /**
   * Says what is wrong with a prepared statement that requests of a load were answered with, as the end of a sentence;
   * absent where any may be used.
   */
  statementProblem?(statement: PreparedStatement): string | undefined;
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
  /** Path of a load's URL; requests without a path of their own go there. */
  readonly path: string;
  /** Absent if it needs none; then no queries are counted. */
  readonly database?: DatabasePart;
  /** Each request is one call of the server's upstream; absent if it needs none, then no calls are counted. */
  readonly upstreams?: Upstreams;
  /** Present exactly if bursts are among the contract's protocols. */
  readonly burst?: BurstPart;
  /**
   * Makes a request that tells a working server from one that only listens. Another with each call: its token can expire,
   * and its answer is one that no server can have kept from an earlier start, unless every answer is a constant. No load
   * may run. Present exactly if startup is among the contract's protocols.
   */
  probe?(): Promise<Probe>;
  /**
   * Checks the contract as far as the database is up, in a few seconds, before and after a load. Returns every
   * problem. Nothing else may use the server or the database meanwhile.
   */
  verifyAnswers(target: Target, options: CheckOptions): Promise<Problem[]>;
  /** Breaks what the server calls, always mends it, and returns every problem; absent if it calls nothing. */
  verifyFaults?(target: Target, options: CheckOptions): Promise<Problem[]>;
  /** Kills a server of its own under load, and returns what was lost that had been answered; absent if nothing can be. */
  verifyKilled?(target: Target, options: CheckOptions): Promise<Problem[]>;
  /**
   * Returns the requests of the loads. Writes the file on the first call, and again if more lines are asked for than it
   * has, or if it has tokens and too few are left for another process: then what one kept on the disk is of no use to the
   * next. Not to be called while a load runs.
   *
   * @param lines How many requests there are to be before a token comes again; at most 500,000 are written.
   */
  requestFile(lines: number): Promise<RequestFile>;
  /**
   * Returns the id that a line of the requests notifies of; present exactly if deliveries are among the contract's
   * protocols.
   */
  idOfLine?(line: number): number;
  /**
   * Starts to change, at random, what right answers depend on; absent if every answer is a constant. Only one may run
   * at a time. What was changed stays so until {@linkcode restore}, if there is one.
   *
   * @throws {RunBroken} when it is disposed of, and the database or the upstream was lost meanwhile.
   */
  startChanges?(options: { signal: AbortSignal }): Promise<AsyncDisposable>;
  /**
   * Makes anew what loads write to, and watches it until it is disposed of; absent if they write nothing. Called before
   * the first load of a process; only one may run at a time.
   *
   * @throws {RunBroken} when it is disposed of, and the database was lost meanwhile.
   */
  startWatch?(options: { signal: AbortSignal }): Promise<AsyncDisposable>;
  /**
   * Judges every answer of a load against what was right for its line at that moment. Called when the load has ended.
   *
   * @param toleranceMs How far the clock of the answers may be from that of this process.
   * @param side Whose account of the database, and upstream, the server has.
   */
  judge(answers: Answers, toleranceMs: number, side: SideName): Witnessed | Promise<Witnessed>;
  /** Restores what {@linkcode startChanges} changed, if it outlives the run; called when the ground closes. */
  restore?(): Promise<void>;
}

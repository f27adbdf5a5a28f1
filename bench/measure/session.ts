/**
 * Session: what all measurements of one invocation share, and what is stopped when it ends: the database with its
 * users, the tokens, and the scenario that is prepared for both.
 */
import { openDatabase } from "../database/open.ts";
import type { Session } from "./levels.ts";
import { createRandom } from "../lib/random.ts";
import { prepareJwtMysql } from "../scenario/jwt_mysql/mod.ts";
import type { Result } from "../results/result_schema.ts";
import { seed } from "../scenario/jwt_mysql/seed.ts";
import { makeTokens } from "../scenario/jwt_mysql/tokens.ts";

/** The stages that a session is opened by. */
export type SessionStage = "database" | "seed" | "tokens";

/** Options for {@linkcode openSession}. */
export interface OpenSessionOptions
  extends Pick<Session, "facts" | "oha" | "folder" | "report" | "signal" | "startTimeoutMs"> {
  onStage?: (stage: SessionStage) => void;
}

/** A session, with what results say of its database. */
export interface OpenSession extends Session, AsyncDisposable {
  databaseFacts: NonNullable<Result["database"]>;
}

/** Opens a session; the private database stops with it. */
export async function openSession(options: OpenSessionOptions): Promise<OpenSession> {
  const { facts, folder, report, signal, onStage = () => {} } = options;
  await using stack = new AsyncDisposableStack();
  onStage("database");
  const database = stack.use(await openDatabase({ report, signal, folder }));
  onStage("seed");
  const { rows, sha256: rowsSha256 } = await seed(database, { signal });
  onStage("tokens");
  const tokens = await makeTokens(database, { folder, signal });
  const scenario = await prepareJwtMysql({
    database,
    secret: tokens.secret,
    random: createRandom(facts.plan.seed),
  });
  const { provider, engine, version, variables } = database;
  const opened = stack.move();
  return {
    ...options,
    database,
    scenario,
    tokens,
    databaseFacts: { provider, engine, version, variables, rows, rowsSha256 },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

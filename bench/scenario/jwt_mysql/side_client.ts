/**
 * Side client: are answers correct during the load? Sends a few requests per second, one at a time, in random order,
 * and keeps the first problem of each kind.
 */
import { delay } from "@std/async";
import type { Connection } from "mysql2/promise";
import { orRunBroken } from "../../database/connection.ts";
import { sample, shuffle } from "../../lib/random.ts";
import type { SideClient, SideClientReport, Target } from "../scenario.ts";
import type { Problem } from "../../results/result_schema.ts";
import { createCanary } from "./canary.ts";
import { judgeStatus, TargetGone } from "../checks.ts";
import { createClient, describeRequest } from "./client.ts";
import { askWithExpiringToken, type ExpiringToken, waitUntil } from "./expiry.ts";
import { refusals, unknownEmails } from "./forged_tokens.ts";
import type { Users } from "./known_users.ts";

/** Options for {@linkcode startSideClient}. */
export interface SideClientOptions {
  users: Users;
  secret: string;
  random: () => number;
  /** The side client's own connection; it is closed when the client is disposed of. */
  connection: Connection;
  signal: AbortSignal;
}

const intervalMs = 250;

/** Starts sending requests; see `startSideClient` of a scenario. */
export function startSideClient(target: Target, options: SideClientOptions): SideClient {
  const stopping = new AbortController();
  const cancelling = new AbortController();
  const signal = AbortSignal.any([options.signal, cancelling.signal]);
  const work = orRunBroken(() => askUntil(stopping.signal, target, { ...options, signal }));
  // `stop()` rethrows the client's failure; disposal ignores it, because there is another failure then.
  work.catch(() => {});
  return {
    stop: () => {
      stopping.abort();
      return work;
    },
    [Symbol.asyncDispose]: async () => {
      cancelling.abort();
      await work.catch(() => {});
      await options.connection.end();
    },
  };
}

async function askUntil(
  stopping: AbortSignal,
  target: Target,
  { users, secret, random, connection, signal }: SideClientOptions,
): Promise<SideClientReport> {
  const client = createClient(target.url, secret, signal);
  const canary = createCanary(connection, users.canary);
  const checks: Record<string, number> = {};
  const problems: Problem[] = [];
  let queries = 0;
  let expiring: ExpiringToken | undefined;

  const note = (kind: string, problem: Problem | undefined) => {
    checks[kind] = (checks[kind] ?? 0) + 1;
    if (problem !== undefined && problems.every(({ check }) => check !== problem.check)) {
      problems.push(problem);
    }
  };
  const pick = <T>(items: readonly T[]): T => sample(items, 1, random)[0]!;
  const kinds: Record<string, () => Promise<void>> = {
    user: async () => {
      queries++;
      note("user", await client.checkUser("random user", pick(users.random)));
    },
    "refused token": async () => {
      const [user, other] = sample(users.random, 2, random);
      const { check, sent, headers } = pick(refusals(user!.email, other!.email, secret));
      const reply = await client.ask(sent, headers);
      note("refused token", judgeStatus(check, sent, reply, "401", (it) => it === 401));
    },
    "unknown user": async () => {
      const { check, email } = pick(unknownEmails(pick(users.random).email));
      queries++;
      const reply = await client.askFor(email);
      const sent = describeRequest(email);
      note("unknown user", judgeStatus(check, sent, reply, "404", (it) => it === 404));
    },
    "changed row": async () => {
      queries += 2;
      const before = await client.checkUser("row before a change", canary.current);
      const after = await client.checkUser("row just changed", await canary.change());
      note("changed row", before ?? after);
    },
    "expiring token": async () => {
      if (expiring !== undefined) return;
      expiring = await askWithExpiringToken(client, secret, pick(users.random));
      if (expiring.causedQuery) queries++;
      note("expiring token", expiring.problem);
    },
  };
  const askExpired = async () => {
    if (expiring === undefined) return;
    await waitUntil(expiring.deadAtMs, signal);
    note("expired token", await expiring.askAgain());
    expiring = undefined;
  };

  try {
    await using _changedBack = canary;
    let round = 0;
    while (!(stopping.aborted && round > 0)) {
      // The token of the first round comes first, because it takes longest to expire.
      const order = shuffle(Object.keys(kinds).filter((kind) => kind !== "expiring token"), random);
      for (const kind of ["expiring token", ...order]) {
        if (stopping.aborted && round > 0) break;
        if (expiring !== undefined && Date.now() > expiring.deadAtMs) await askExpired();
        await kinds[kind]!();
        if (!stopping.aborted) await pause(intervalMs, stopping, signal);
      }
      round++;
    }
    if (checks["expired token"] === undefined) await askExpired();
  } catch (error) {
    if (!(error instanceof TargetGone)) throw error;
    problems.push(error.problem);
  }
  const { requests } = client;
  return {
    requests,
    connections: requests,
    queries,
    statements: canary.statements,
    checks,
    problems,
  };
}

/** Waits, shorter when the client is stopping. */
async function pause(ms: number, stopping: AbortSignal, signal: AbortSignal): Promise<void> {
  await delay(ms, { signal: AbortSignal.any([stopping, signal]) }).catch(() => {});
  signal.throwIfAborted();
}

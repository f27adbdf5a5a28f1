/**
 * Request plan: which requests does a load send? One line of the file is one request with a token of its own. All
 * tokens have the same claims and the same life time, so that nothing but verification tells them apart.
 */
import { BenchError } from "../../lib/error.ts";
import { formatInteger } from "../../lib/format_integer.ts";
import { sample } from "../../lib/random.ts";

/** What the token of a line is. */
export const kinds = [
  "valid",
  "signature changed",
  "signed with another key",
  "alg none",
  "expired",
  "payload changed under its signature",
  "unknown user",
] as const;

export type Kind = typeof kinds[number];

/** The requests of a file, a column for each fact. */
export interface RequestPlan {
  /** The place of each line's kind in {@linkcode kinds}. */
  kind: Uint8Array;
  /** The number of each line's user; of a line for an unknown user, the place of its email in a list of those. */
  user: Uint32Array;
  /** When each line's token expires, in seconds since 1970; {@linkcode lifeSeconds} after it was issued. */
  exp: Uint32Array;
}

/** Options for {@linkcode planRequests}. */
export interface PlanOptions {
  lines: number;
  /** How many users the table has. */
  users: number;
  /** How many emails there are that no user has. */
  unknownUsers: number;
  /** The numbers of users that are asked for more often than others. */
  oftenAsked: readonly number[];
  nowSeconds: number;
  random: () => number;
}

/** How long a token is valid: longer than any run. */
export const lifeSeconds = 24 * 60 * 60;

/** Share of the lines that are made wrong, the six kinds alike; of those that expire soon, half must be refused, too. */
const refusedShare = 0.01;
/** Share of the lines whose token expires within an hour before or after the plan is made. */
const expiringShare = 0.002;
/** Share of the valid lines that ask for one of the users who are asked for often. */
const oftenAskedShare = 0.02;
/** Tokens are issued within an hour before the plan is made. */
const hourSeconds = 3600;
/** Coprime to 3,600: its multiples visit each second of an hour once. */
const strideSeconds = 2_003;

/**
 * Plans the lines at random. No token comes twice.
 *
 * @throws {BenchError} when there are so few users that tokens would come twice.
 */
export function planRequests(options: PlanOptions): RequestPlan {
  const { lines, users, unknownUsers, oftenAsked, nowSeconds, random } = options;
  const plan: RequestPlan = {
    kind: new Uint8Array(lines),
    user: new Uint32Array(lines),
    exp: new Uint32Array(lines),
  };
  const below = (limit: number) => Math.floor(random() * limit);
  const issueFor = {
    user: drawIssueTimes(users, below),
    unknown: drawIssueTimes(unknownUsers, below),
  };
  const expireOnce = drawExpiryTimes(below);
  const [valid, unknown, expired] = ["valid", "unknown user", "expired"].map((kind) =>
    kinds.findIndex((it) => it === kind)
  );

  for (let line = 0; line < lines; line++) {
    const fate = random();
    const kind = fate < refusedShare ? 1 + below(kinds.length - 1) : valid!;
    const isExpiring = kind === valid && fate < refusedShare + expiringShare;
    const isOften = kind === valid && !isExpiring && random() < oftenAskedShare;
    const user = kind === unknown
      ? below(unknownUsers)
      : isOften
      ? oftenAsked[below(oftenAsked.length)]!
      : below(users);
    plan.kind[line] = kind;
    plan.user[line] = user;
    if (isExpiring) {
      plan.exp[line] = nowSeconds + expireOnce(user);
    } else {
      const ago = (kind === unknown ? issueFor.unknown : issueFor.user)(user);
      // Expired before any that is about to expire, so that no two tokens are the same.
      const late = kind === expired ? lifeSeconds + hourSeconds : 0;
      plan.exp[line] = nowSeconds - ago - late + lifeSeconds;
    }
  }
  return plan;
}

/** Returns the numbers of some users, chosen at random from those that may change. */
export function chooseOftenAsked(
  users: number,
  fixed: ReadonlySet<number>,
  random: () => number,
): number[] {
  const free = Array.from({ length: users }, (_, user) => user).filter((user) => !fixed.has(user));
  return sample(free, 16, random);
}

/** Draws, for one user after the other, how many seconds ago a token was issued, from 1: none twice for a user. */
function drawIssueTimes(users: number, below: (limit: number) => number) {
  const first = Uint16Array.from({ length: users }, () => below(hourSeconds));
  const drawn = new Uint16Array(users);
  return (user: number): number => {
    const draw = drawn[user]!++;
    if (draw === hourSeconds) {
      throw new BenchError(
        `Cannot make requests for ${
          formatInteger(users)
        } users: a token would come twice, expected more users or fewer requests`,
      );
    }
    return 1 + (first[user]! + draw * strideSeconds) % hourSeconds;
  };
}

/** Draws in how many seconds a token expires, from an hour ago until in an hour: none twice for a user. */
function drawExpiryTimes(below: (limit: number) => number) {
  const taken = new Set<number>();
  return (user: number): number => {
    for (;;) {
      const seconds = below(2 * hourSeconds);
      const key = user * 2 * hourSeconds + seconds;
      if (taken.has(key)) continue;
      taken.add(key);
      return seconds - hourSeconds;
    }
  };
}

/** What is said of each cheat under load, and how much load that takes. */

const refuses = /answers were wrong \(not-refused\)/;
const another = /answers were wrong \((another-record|wrong-body)\)/;
const stale = /answers were wrong \(stale-record\)/;
/** Of few answers from memory, none may be of a row that had changed. */
const staleOrUnread =
  /answers were wrong \(stale-record\)|returned [\d,]+ rows for [\d,]+ records, expected one for each/;
const worksOn = /the database still worked for it \d\.\d\d s after it was frozen/;
const locks =
  /under load, (?:1 change of a row|\d+ changes of rows) waited for a lock of the server's, expected none: it locks what it only reads/;

/** How much load there is: as much as tells a cheat for certain, but in one undisturbed case of ten thousand or fewer. */
export interface Amount {
  /** Of a level, after 200 to warm up. */
  requests: number;
  /** Of a comparison or a step. */
  warmUpRequests: number;
  stepSeconds: number;
}

/**
 * For what one answer in a hundred tells, or more. 64 statements too many or too few are always allowed: slow machines must
 * answer more requests than that, too, in one step.
 */
const little: Amount = { requests: 800, warmUpRequests: 900, stepSeconds: 0.5 };
/**
 * For rows that must have changed after they were read, and be asked for again, as one request in fifty does: in a level, on
 * a machine that hardly comes to change them, too. For one answer in a thousand, and for one kind of token of the six that
 * must be refused, as one in a hundred must. Some cheat from the 2,000th request on, or up to it: slow machines must come
 * that far, too.
 */
export const much: Amount = { requests: 6_000, warmUpRequests: 1_900, stepSeconds: 2 };
/**
 * For rows that are remembered for a second: on a busy machine, it is less well known when a load began, and so which answers
 * are stale. Of 1,900 answers, four to seven were (28 November 2026, two processors of an AMD EPYC).
 */
const most: Amount = { ...much, warmUpRequests: 4_500 };
/** For what is looked for every 2 s: fast machines must take longer than that, too. */
const long: Amount = { ...much, requests: 18_000, stepSeconds: 3 };

const notPlain = /the prepared statement .* is not a plain query/;

/** What is said of each cheat wherever it is under load. */
export const everywhere: Record<string, [RegExp, Amount]> = {
  "batches-of-many-texts": [notPlain, little],
  "big-pool": [
    /\d\d connections to the database were open at one time, expected at most 16/,
    little,
  ],
  "cache-of-1-s": [staleOrUnread, most],
  "cache-of-10-s": [stale, much],
  "first-identity-of-connection": [another, little],
  "forgotten-batches": [/the prepared statement of [\d,]+ of [\d,]+ executions is gone/, little],
  "helper-outside-group": [/a process left the group of the server/, little],
  "honest-at-first": [stale, much],
  "honest-later": [staleOrUnread, much],
  "knows-accept": [refuses, little],
  "knows-user-agent": [stale, much],
  "knows-user-agent-unverified": [refuses, little],
  "locks-rows": [locks, much],
  "lowers-generator": [/the load generator .*had nice value 10, expected 0/, long],
  "only-age-read": [stale, much],
  "padded-batches": [
    /the prepared statement .*"(?:SELECT .* IN .*|DO 0)" (?:returned|is not)/,
    little,
  ],
  "snapshot-with-dummy-query": [stale, much],
  "swaps-one-in-a-thousand": [another, much],
  "text-protocol": [/0\.0\d\d executions of server-side prepared statements per request/, little],
  "two-queries": [
    // Of few requests, none may be one of the hundredth that must be refused.
    /the database counted (?:1\.9\d\d|2\.000) queries per request, expected (?:0\.9\d\d|1\.000)/,
    little,
  ],
  "validates-cache": [/"SELECT CRC32.*" is not a plain query/, little],
  "verifies-one-in-a-hundred": [refuses, little],
  "verifies-once-per-connection": [refuses, little],
};

/** While it holds its locks, no row changes, and what another server remembers is right, too. */
export const alone = ["locks-rows"];

/** Of cheats that are told by the same reason as one of those: a level is enough. */
export const inLevels: Record<string, [RegExp, Amount]> = {
  "alg-none": [refuses, much],
  // If there are more batches than a pool may send statements of its own, the reason names their statement.
  "batches-of-all": [
    /of all executions returned [\d,]+ rows for [\d,]+ records|is not a plain query|rows each time, expected one at most/,
    little,
  ],
  "batches-beyond-text": [notPlain, little],
  "cached-rows": [stale, much],
  "constant-answer": [another, little],
  // After 1,500 requests.
  "exit-under-load": [/the process ended with exit code 1 while the load ran/, much],
  "joins-users": [notPlain, little],
  "freezes-under-load": [/hardly a query reached the database for 3 s while the load ran/, much],
  "locks-rows-for-good": [locks, much],
  "logs-requests": [/[\d,]+ lines were logged for [\d,]+ requests/, little],
  "swapped-users": [another, little],
  "tenth-500": [/requests failed \(status-500: [\d,]+\)/, little],
  "unverified-token": [refuses, little],
  "validates-by-values": [notPlain, little],
  "wrong-bytes": [another, little],
  "wrong-length": [another, little],
};

/**
 * What is said of cheats that know when a turn, or a comparison, begins and ends, or that slow down the other side. Some need
 * more slices: on a busy machine, they may see a turn begin too late, or take a pause of the load for its end. The last leaves
 * something in the database.
 */
export const inComparisons: Record<string, [said: RegExp, amount: Amount, slices?: number]> = {
  "pins-rival": [
    /the control could use processors \d+ only, expected \S+.*the load generator of the control could use processors \d/,
    much,
  ],
  "floods-rival": [/connections? (was|were) opened to the other server while only this/, much],
  "thaws-itself": [
    /its processes used \d\.\d\d s of CPU time while they were frozen, expected at most 0\.03 s in a load/,
    little,
  ],
  "holds-answers": [
    /it answered [\d,]+ requests per second in the first part of its turns/,
    little,
    6,
  ],
  "pays-later": [
    /when [\d,]+ answers had come, the database had executed [\d,]+ statements, expected at least/,
    little,
    6,
  ],
  "leaves-commands": [worksOn, little],
  "leaves-statements": [worksOn, little],
};

/** Those that may take a pause of the load for its end: then they pay in time, gain nothing, and are tried again. */
export const mayPayInTime = ["pays-later"];

/**
 * Those that no load tells, because their answers are right and their statements many enough.
 *
 * - `remembers-tokens`, `cached-verification`: no token comes twice before 500,000 others have, so that they save
 *   nothing, and keep 500,000 tokens in memory; for a later process, what they keep on the disk is of no use. The second answers expired tokens, for which verification rejects it.
 * - `joins-requests`: of 20 requests in flight, hardly two ask for the same of 100,000 users: it saves about one statement in
 *   two thousand, and one in a thousand would be too many, as it would save of 300.
 */
export const untold = ["remembers-tokens", "cached-verification", "joins-requests"];

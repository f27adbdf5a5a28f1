/** Visits: what the requests of a load ask to be stored, and what the answers must be. */
import { createRandom } from "../../lib/random.ts";

/** What a request carries. */
export interface Visit {
  user: string;
  page: string;
  text: string;
}

/** A row of the table. */
export interface VisitRow extends Visit {
  id: number;
}

/** The id of the first row: all ids of a load have as many digits, so all answers have one length. */
export const firstId = 1_000_000_000;

const encoder = new TextEncoder();

/** Returns the body of a request. */
export function requestBody({ user, page, text }: Visit): string {
  return JSON.stringify({ user, page, text });
}

/** Returns the bytes of the correct answer for a row. */
export function recordOf({ id, user, page, text }: VisitRow): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify({ id, user, page, text }));
}

const digits = 7;
const wordsOfText = 16;
/** Words of one length, so that texts have one length. */
const words = (
  "about above after again along among being below berry black brave bread bring brown cabin chair cloud coast " +
  "daily dance dream early earth every field first flour fresh glass grape green heart honey house juice large " +
  "later lemon light maple month music never night ocean often olive other paper peach plant quiet river round " +
  "seven sheep small smile stone storm sugar table"
).split(" ");

/**
 * Returns the visit of a line of the request file, always the same for the same salt. No two lines have the same user,
 * so that a row tells its line.
 *
 * @param salt A random number of the run.
 */
export function visitOf(line: number, salt: number): Visit {
  const random = createRandom(Math.imul(line + 1, 0x9e3779b1) ^ salt);
  const word = () => words[Math.floor(random() * words.length)]!;
  return {
    user: `${word()}.${`${line}`.padStart(digits, "0")}`,
    page: `/${word()}/${word()}`,
    text: Array.from({ length: wordsOfText }, word).join(" "),
  };
}

/** Returns the line that a row's user tells; undefined where it tells none. */
export function lineOf(user: string): number | undefined {
  const match = user.match(/^[a-z]{5}\.(\d{7})$/);
  return match === null ? undefined : Number(match[1]);
}

/** Returns the line of the request file that asks for a visit to be stored. */
export function requestLine(visit: Visit): string {
  const headers = { "content-type": "application/json" };
  return JSON.stringify({ method: "POST", path: "/visits", headers, body: requestBody(visit) }) +
    "\n";
}

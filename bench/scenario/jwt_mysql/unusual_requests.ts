/**
 * Unusual requests: no contract says what is right, and frameworks differ. A server may refuse them, but must not fail
 * or hang, and whom it answers must be who asked.
 */
import type { Problem } from "../../results/result_schema.ts";
import { judgeStatus, type Reply } from "../checks.ts";
import { type Client, describeRequest, judgeRecord } from "./client.ts";
import { claimsFor, makeToken } from "./forged_tokens.ts";
import type { User } from "./known_users.ts";

/** Length of the long token, in bytes: the limit of some servers for all headers together. */
const longTokenBytes = 8 * 1024;

/** Sends each unusual request once, and returns the problems. */
export async function verifyUnusualRequests(
  client: Client,
  [user, other]: readonly [User, User],
  secret: string,
): Promise<(Problem | undefined)[]> {
  const bearer = (claims: Record<string, unknown>) => `Bearer ${makeToken(claims, { secret })}`;
  const authorization = bearer(claimsFor(user.email));
  const both = [authorization, bearer(claimsFor(other.email))];
  const valid = describeRequest(user.email);
  const long = `${valid}, of ${longTokenBytes} bytes`;
  const two = `${valid} and a second Authorization header, of ${JSON.stringify(other.email)}`;
  const [head, post] = ["HEAD", "POST"].map((method) => valid.replace("GET", method));
  return [
    judgeUnusual(
      "token of 8 kB",
      long,
      await client.ask(long, { authorization: `Bearer ${longToken(user.email, secret)}` }),
      [user],
    ),
    judgeUnusual(
      "two Authorization headers",
      two,
      await client.ask(two, { authorization: both }),
      [user, other],
    ),
    judgeUnusual("HEAD /", head!, await client.ask(head!, { authorization }, { method: "HEAD" })),
    judgeUnusual("POST /", post!, await client.ask(post!, { authorization }, { method: "POST" }), [
      user,
    ]),
  ];
}

/** Returns a valid token with a claim that nobody reads, which makes it as long as is wanted. */
function longToken(email: string, secret: string): string {
  const lengthened = (letters: number) =>
    makeToken({ ...claimsFor(email), padding: "x".repeat(letters) }, { secret });
  // Base64 has four letters for three.
  return lengthened(Math.floor((longTokenBytes - lengthened(0).length) * 3 / 4));
}

/** Judges an answer that may be any but a failure; with users, 200 must come with the record of one of them. */
function judgeUnusual(
  check: string,
  sent: string,
  reply: Reply,
  users: User[] = [],
): Problem | undefined {
  const problem = judgeStatus(check, sent, reply, {
    text: "below 500",
    is: (status) => status < 500,
  });
  if (problem !== undefined || reply.kind === "failure" || reply.status !== 200) return problem;
  const problems = users.map((user) => judgeRecord(check, sent, reply, user));
  return problems.includes(undefined) ? undefined : problems[0];
}

/** The contract of `gateway` in words; the other files of this folder check it. */
import { connectionRule, everyRequestRule, stopRule } from "../shared_rules.ts";
import type { Contract } from "../words.ts";

/** The contract of `gateway`. */
export const contract = {
  id: "gateway",
  title: "Pass on what another service answers",
  description:
    "Call another service over HTTP for each request, and answer with its status, type and body.",
  request: "GET /gateway/{id}",
  needs: ["upstream"],
  protocols: ["levels", "ceilings", "comparison", "rateSweep", "startup"],
  full: { levels: [10, 50, 100, 300, 2_000], requests: 500_000 },
  grants: [],
  rules: [
    {
      sent: "an id of the service",
      answer: "status, media type and bytes of $UPSTREAM_URL/items/{id}",
      checks: ["right answer", "64 items at once"],
    },
    {
      sent: "an id that the service does not have",
      answer: "its 404, with its application/problem+json",
      checks: ["missing item"],
    },
    {
      sent: "an id with a question mark, which is %3F in the path",
      answer: "404, because the service is asked for this id, not for a part of it",
      checks: ["id with a question mark"],
    },
    {
      sent: "a path of no scenario",
      answer: "404",
      checks: ["path /nope", "path /gateway", "path /gateway/1/2"],
    },
    {
      sent: "any id, even the same one again or many times at once",
      answer: "exactly one call of the service for each request",
      checks: ["one call for a request", "the same item again", "64 requests for one item at once"],
    },
    {
      sent: "requests one after the other",
      answer: "calls over connections that are kept alive",
      checks: ["keep-alive to the upstream"],
    },
    {
      sent: "an id whose call resets the connection, or ends it in mid-body",
      answer: "502; for the second, the connection to the client may end instead",
      checks: ["upstream resets", "upstream ends too soon"],
    },
    {
      sent: "an id whose call is never answered, or byte by byte",
      answer:
        "504 or 502 within 10 s; for the second, also the right answer, or the connection to the client ends",
      checks: ["upstream hangs", "upstream is slow"],
    },
    {
      sent: "other requests meanwhile",
      answer: "right answers within 2 s",
      checks: ["others meanwhile"],
    },
    {
      sent: "the same ids after these faults",
      answer: "right answers within 10 s; no call and no file descriptor left open",
      checks: ["recovery from faults", "calls left open", "descriptors left open"],
    },
    {
      sent: "an id whose call is in progress when the service is killed",
      answer: "502 within 10 s and no stack trace",
      checks: ["upstream dies"],
    },
    {
      sent: "any id while the service is gone, and after it has come back",
      answer:
        "502 within 10 s and no stack trace; right answers within 10 s, no file descriptor left open",
      checks: ["upstream gone", "upstream back"],
    },
    connectionRule,
    everyRequestRule,
    stopRule,
  ],
} satisfies Contract;

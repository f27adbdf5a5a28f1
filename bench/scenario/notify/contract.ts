/** The contract of `notify` in words; the other files of this folder check it. */
import { connectionRule, everyRequestRule, stopRule } from "../shared_rules.ts";
import type { Contract } from "../words.ts";

/** The contract of `notify`. */
export const contract = {
  id: "notify",
  title: "Accept a notification, and pass it on",
  description:
    "Accept each notification with 202, and call another service once for it, which takes 100 ms to answer.",
  request: "POST /notify/{id}",
  needs: ["upstream"],
  protocols: ["deliveries"],
  grants: [],
  rules: [
    {
      sent: "an id",
      answer: "202, and exactly one GET $UPSTREAM_URL/check/{id}, whose answer is read",
      checks: ["accepted", "one call for a notification"],
    },
    {
      sent: "the same id again, or many ids at once",
      answer: "202 and one call for each",
      checks: ["the same id again", "64 ids at once"],
    },
    {
      sent: "GET instead of POST; a path of no scenario",
      answer: "404 or 405, and no call",
      checks: ["GET instead of POST", "path /notify", "path /notify/1/2"],
    },
    {
      sent: "requests one after the other",
      answer: "calls over connections that are kept alive",
      checks: ["keep-alive to the upstream"],
    },
    {
      sent: "ids whose calls end in mid-body, are reset, answered byte by byte, or never answered",
      answer: "202 within 10 s, and one call for each; only one that is reset may be repeated",
      checks: ["accepted during faults", "no call again"],
    },
    {
      sent: "other ids meanwhile",
      answer: "202 within 2 s, and one call for each",
      checks: ["others meanwhile"],
    },
    {
      sent: "nothing, after these faults",
      answer: "within 10 s, no call and no file descriptor is left open",
      checks: ["calls left open", "descriptors left open"],
    },
    {
      sent: "any id while the service is gone, and after it has come back",
      answer: "202; the first are lost, the later ones arrive within 10 s",
      checks: ["upstream gone", "upstream back"],
    },
    connectionRule,
    everyRequestRule,
    stopRule,
  ],
} satisfies Contract;

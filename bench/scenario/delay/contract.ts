/** The contract of `delay` in words; the other files of this folder check it. */
import { connectionRule, everyRequestRule, stopRule } from "../shared_rules.ts";
import type { Contract } from "../words.ts";

/** The contract of `delay`. */
export const contract = {
  id: "delay",
  title: "Wait, for many users at once",
  description:
    "Wait as many milliseconds as the path says, then answer with that number: what a backend does while it waits for another service.",
  request: "GET /delay/{ms}",
  needs: [],
  protocols: ["bursts"],
  grants: [],
  rules: [
    {
      sent: "the request",
      answer:
        '200, application/json, {"delayed":ms} without white space, after ms milliseconds, at most 3 ms early',
      checks: ["right answer", "no delay"],
    },
    {
      sent: "many requests at once, with different delays",
      answer: "to each its own, at most 3 ms early",
      checks: ["64 delays at once"],
    },
    {
      sent: "a delay that is no number, blank, negative or not whole",
      answer: "4xx",
      checks: ["no number", "blank", "negative number", "fraction"],
    },
    {
      sent: "a path of no scenario",
      answer: "404",
      checks: ["path /nope", "path /delay/1/2"],
    },
    connectionRule,
    everyRequestRule,
    stopRule,
  ],
} satisfies Contract;

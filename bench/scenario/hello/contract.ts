/** The contract of `hello` in words; `mod.ts` checks it. */
import { connectionRule, everyRequestRule, stopRule } from "../shared_rules.ts";
import type { Contract } from "../words.ts";

/** The correct answer. */
export const body = "Hello, World!";

/** The contract of `hello`. */
export const contract = {
  id: "hello",
  title: "Hello, World!",
  description:
    "Answer with a constant text: what the framework and its HTTP server cost by themselves.",
  request: "GET /hello",
  needs: [],
  protocols: ["levels", "ceilings", "comparison", "rateSweep", "startup"],
  grants: [],
  rules: [
    {
      sent: "the request",
      answer: `200, text/plain, with or without a charset, and the ${body.length} bytes "${body}"`,
      checks: ["right answer"],
    },
    {
      sent: "a path of no scenario",
      answer: "404",
      checks: ["path /nope", "path /hello/world"],
    },
    {
      sent: "many requests at once",
      answer: "the same to each",
      checks: ["64 requests at once"],
    },
    connectionRule,
    everyRequestRule,
    stopRule,
  ],
} satisfies Contract;

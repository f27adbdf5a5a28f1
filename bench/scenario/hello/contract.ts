/** The contract of `hello`, to be read; `mod.ts` checks it. */
import type { Contract } from "../words.ts";

/** The right answer. */
export const body = "Hello, World!";

/** The contract of `hello`. */
export const contract = {
  id: "hello",
  title: "Hello, World!",
  description:
    "Answer with a constant text: what the framework and its HTTP server cost by themselves.",
  request: "GET /hello",
  needs: [],
  protocols: ["ceilings", "comparison", "ladder", "startup"],
  rules: [
    {
      sent: "the request",
      answer: `200, text/plain, with or without a charset, and the ${body.length} bytes "${body}"`,
      checks: ["right answer"],
    },
    {
      sent: "any other path",
      answer: "404",
      checks: ["path /nope", "path /hello/world"],
    },
    {
      sent: "many requests at once",
      answer: "the same to each",
      checks: ["64 requests at once"],
    },
    {
      sent: "two requests on one connection, and one that accepts compression",
      answer: "both on that connection; nothing compressed",
      checks: ["keep-alive", "no compression"],
    },
    {
      sent: "any of these",
      answer: "an answer, and no line in the log",
      checks: ["server listens", "no log line per request"],
    },
    {
      sent: "SIGTERM, while a client keeps a connection open",
      answer: "the process ends within 10 s",
      checks: ["SIGTERM"],
    },
  ],
} satisfies Contract;

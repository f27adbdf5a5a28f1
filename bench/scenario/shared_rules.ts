/** Rules that several contracts share; `checks.ts` and `verify.ts` check them. */
import type { ContractRule } from "./words.ts";

export const connectionRule: ContractRule = {
  sent: "two requests on one connection, and one that accepts compression",
  answer: "both on that connection; nothing compressed",
  checks: ["keep-alive", "no compression"],
};

export const everyRequestRule: ContractRule = {
  sent: "any of these",
  answer: "an answer, and no line in the log; no process leaves the process group of the server",
  checks: ["server listens", "no log line per request", "process group"],
};

export const stopRule: ContractRule = {
  sent: "SIGTERM, while a client keeps a connection open",
  answer: "the process ends within 10 s",
  checks: ["SIGTERM"],
};

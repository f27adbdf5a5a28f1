/** Statement: is what a server sends the query that the contract asks for, of one user's whole record? */
import type { PreparedStatement } from "../../database/prepared_statements.ts";
import { userColumns } from "./user_rows.ts";

/** `SELECT`, names only, `FROM` one table `WHERE` one column is a value, at most in an order and with a limit. */
const plainQuery =
  /^\s*select\s+(?<names>[\w\s`".,*]+?)\s+from\s+[\w`".]+(?:\s+as)?(?:\s+(?!where\b)[\w`"]+)?\s+where\s+[\w`".]+\s*=\s*\?(?:\s+order\s+by\s+[\w`".]+(?:\s+(?:asc|desc))?)?(?:\s+limit\s+[\d?]+(?:\s*(?:,|offset)\s*[\d?]+)?)?\s*;?\s*$/i;

/** What an object-relational mapper may write around the comparison. */
const inParentheses = /\(\s*([\w`".]+\s*=\s*\?)\s*\)/;

/** Those that a record needs: the email is in the token, too. */
const neededColumns = userColumns.filter((column) => column !== "email");

/** While a load runs, a statement may be counted before its rows are, or after. */
const tolerance = 0.01;
const alwaysAllowed = 64;

const longest = 160;

/**
 * Says why a statement is not that query, as the end of a sentence: it returned several rows each time, so that one served
 * several requests, or it computed something, so that it could only tell whether a cached record still holds.
 */
export function statementProblem(
  { text, executions, rowsSent }: PreparedStatement,
): string | undefined {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  if (rowsSent > executions * (1 + tolerance) + alwaysAllowed) {
    return `"${shown}" returned ${
      (rowsSent / executions).toFixed(1)
    } rows each time, expected one at most`;
  }
  let bare = text;
  while (inParentheses.test(bare)) bare = bare.replace(inParentheses, " $1 ");
  const { names } = plainQuery.exec(bare)?.groups ?? {};
  if (names === undefined) {
    return `"${shown}" is not a plain query, expected SELECT with the columns of a user, from one table by one e-mail address, at most with ORDER BY and LIMIT`;
  }
  const missing = neededColumns.filter((column) => !new RegExp(`\\b${column}\\b`, "i").test(names));
  if (missing.length === 0 || /(?:^|[\s.,])\*/.test(names)) return undefined;
  return `"${shown}" does not read ${missing.join(", ")}, expected every column of the record`;
}

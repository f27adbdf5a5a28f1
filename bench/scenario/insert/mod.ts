/**
 * The scenario `insert`: `POST /visits` adds its JSON body to the table `visits`; the record with its id is the answer.
 * The files beside this one check the contract.
 */
import { join } from "@std/path";
import { overConnection } from "../../database/connection.ts";
import type { SideName } from "../../database/database.ts";
import type { Means, PreparedScenario, RequestFile, Scenario } from "../scenario.ts";
import { verifyOutage } from "../outage.ts";
import { writeLines } from "../write_lines.ts";
import { verifyAnswers } from "./answers.ts";
import { createClient, describeRequest, judgeAdded } from "./client.ts";
import { contract } from "./contract.ts";
import { judgeAnswers } from "./judge.ts";
import { verifyKilled } from "./killed.ts";
import { ensureTable, readRows, renewTable, tableSql } from "./table.ts";
import { requestLine, type Visit, visitOf } from "./visits.ts";
import { startWatch, type Watch } from "./watch.ts";

export const scenario: Scenario = {
  contract,
  data: { sql: () => Promise.resolve(tableSql()), ensure: ensureTable },
  prepare: (means) => Promise.resolve(prepare(means)),
};

/** The most lines of a request file: about 130 MB. */
const mostLines = 500_000;

/** A watched table, and up to which row the loads of each side have been judged. */
interface Watched {
  watch: Watch;
  judged: Map<SideName, number>;
}

function prepare({ database, random, folder, signal }: Means): PreparedScenario {
  if (database === undefined) throw new TypeError("insert needs a database");
  const salt = Math.floor(random() * 2 ** 32);
  const newVisit = visitsOfChecks(salt);
  let file: RequestFile | undefined;
  let watched: Watched | undefined;
  return {
    id: contract.id,
    path: "/visits",
    requestFile: async (lines) => {
      const enough = Math.min(lines, mostLines);
      if (file === undefined || file.lines < enough) {
        const path = join(folder, "requests.jsonl");
        await writeLines(path, requestLines(enough, salt), signal);
        file = { path, lines: enough, nextLine: 0 };
      }
      return file;
    },
    startWatch: async (options) => {
      const watch = await startWatch(database, options);
      watched = { watch, judged: new Map() };
      return watch;
    },
    judge: async (answers, toleranceMs, side) => {
      if (watched === undefined) throw new TypeError("No load can have run without a watch");
      const { judged, watch } = watched;
      const rows = await overConnection(
        database,
        (connection) => readRows(connection, database.accounts[side], judged.get(side)),
      );
      const last = rows.at(-1);
      if (last !== undefined) judged.set(side, last.id);
      const isShared = !database.accountsAreOurs;
      return judgeAnswers(answers, { rows, salt, toleranceMs, isShared, sightings: watch.seen });
    },
    // A private server's data go with it. Without the signal of the run: after a Ctrl-C, this is still to be done.
    restore: database.provider === "DATABASE_URL"
      ? () => overConnection(database, (connection) => renewTable(connection))
      : undefined,
    database: {
      server: database,
      writes: true,
      // The table is recreated, empty, with each workload.
      warm: () => Promise.resolve(),
      verifyOutage: (target, outage, options) => {
        const visits = Array.from({ length: 32 }, newVisit);
        const client = createClient(target.url, options);
        const ask = async (index: number) => {
          const visit = visits[index]!;
          return { sent: describeRequest(visit), reply: await client.add(visit) };
        };
        return verifyOutage(target, outage, {
          ...{ what: "visits", right: 201, ask },
          check: async (check, index) =>
            judgeAdded(check, visits[index]!, (await ask(index)).reply).found,
        }, options);
      },
    },
    verifyAnswers: (target, options) =>
      overConnection(
        database,
        (connection) => verifyAnswers(target, { database, connection, newVisit }, options),
      ),
    verifyKilled: (target, { side = "subject", signal }) =>
      overConnection(
        database,
        (connection) =>
          verifyKilled(target, { connection, account: database.accounts[side], newVisit, signal }),
      ),
  };
}

function* requestLines(lines: number, salt: number): Generator<string> {
  for (let line = 0; line < lines; line++) yield requestLine(visitOf(line, salt));
}

/** Returns a source of visits that are those of no line. */
function visitsOfChecks(salt: number): () => Visit {
  let count = 0;
  return () => {
    const visit = visitOf(mostLines + count++, salt);
    return { ...visit, user: `check-${visit.user}` };
  };
}

/**
 * Judge: was each answer of a load right? Takes the answers, and the rows that are in the table afterwards. A right
 * answer to a line of the request file is the record of a row that has what that line asked for, and that row was there
 * when the answer came.
 */
import {
  type BodyDigest,
  bodyDigest,
  describeDigest,
  digestAt,
  isSameDigest,
} from "../body_digest.ts";
import type { Answers, Witnessed } from "../scenario.ts";
import { createWitness, type Witness } from "../witnessed.ts";
import { firstId, lineOf, recordOf, type Visit, visitOf, type VisitRow } from "./visits.ts";
import type { Sightings } from "./watch.ts";

/** What the judge knows. */
export interface JudgeContext {
  /** The rows that the load has added. */
  rows: readonly VisitRow[];
  /** See {@linkcode visitOf}. */
  salt: number;
  sightings: Sightings;
  /** How far the clock of the answers may be from that of the sightings, in milliseconds. */
  toleranceMs: number;
  /** Another server, whose rows nothing tells from these, was sent the same lines. */
  isShared: boolean;
}

/** Judges every answer; see `judge` of a scenario. */
export function judgeAnswers(answers: Answers, context: JudgeContext): Witnessed {
  const witness = createWitness(answers);
  const rows = sortRows(context);
  for (const { user, id } of rows.unknown) {
    witness.wrong("unknown-row", () => ({
      sent: "no request",
      came: `row ${id} with the user "${user}"`,
      expected: "rows that were asked for",
    }));
  }
  const asked = new Map<number, number>();
  for (const line of answers.line) asked.set(line, (asked.get(line) ?? 0) + 1);
  const ids = idsByDigest(context);
  for (const [index, line] of answers.line.entries()) {
    const answer: Answer = {
      ...{ index, line, times: asked.get(line)! },
      status: answers.status[index]!,
      endMs: answers.endMs[index]!,
      body: digestAt(answers, index),
    };
    witness.statement();
    judgeOne(answer, rows.ofLine.get(line) ?? [], { ...context, ids }, witness);
  }
  return witness.finish();
}

interface Answer {
  index: number;
  line: number;
  /** How often the load sent this line. */
  times: number;
  status: number;
  endMs: number;
  body: BodyDigest;
}

interface SortedRows {
  ofLine: Map<number, VisitRow[]>;
  /** Rows whose user is that of no line. */
  unknown: VisitRow[];
}

function sortRows({ rows }: JudgeContext): SortedRows {
  const sorted: SortedRows = { ofLine: new Map(), unknown: [] };
  for (const row of rows) {
    const line = lineOf(row.user);
    if (line === undefined) {
      sorted.unknown.push(row);
      continue;
    }
    const others = sorted.ofLine.get(line);
    if (others === undefined) sorted.ofLine.set(line, [row]);
    else others.push(row);
  }
  return sorted;
}

function judgeOne(
  answer: Answer,
  rows: readonly VisitRow[],
  context: JudgeContext & { ids: (answer: Answer, visit: Visit) => number | undefined },
  witness: Witness,
): void {
  const { index, line, status, body } = answer;
  const visit = visitOf(line, context.salt);
  const wrong = (kind: string, came: string, expected: string) =>
    witness.wrong(kind, () => ({
      sent: `POST /visits for the user "${visit.user}", line ${line}`,
      ...{ came, expected },
    }));
  if (status !== 201) return wrong(`status-${status}`, `status is ${status}`, "status 201");
  const own = rows.find((row) => isRecord(body, row));
  if (own !== undefined) {
    if (!isSame(own, visit)) {
      const came = `row ${own.id} and an answer of ${describeDifference(own, visit)}`;
      return wrong("altered-row", came, "both as the request has it");
    }
    if (rows.length > answer.times && !context.isShared) {
      const came = `${rows.length} rows, ${rows.map(({ id }) => id).join(", ")}`;
      return wrong("row-twice", came, `${answer.times} of them`);
    }
    const lateMs = context.sightings.absentAtMs(own.id) - answer.endMs - context.toleranceMs;
    if (lateMs <= 0) return witness.right(index);
    const came = `its record, but row ${own.id} was not there ${Math.ceil(lateMs)} ms later`;
    return wrong("late-row", came, "the row before the answer");
  }
  const [row] = rows;
  if (row === undefined) {
    return wrong("missing-row", "status 201, but no row", "a row, and its record");
  }
  if (!isSame(row, visit)) {
    return wrong("altered-row", `a row of ${describeDifference(row, visit)}`, "what was sent");
  }
  const id = context.ids(answer, visit);
  if (id !== undefined) return wrong("another-id", `the id ${id}`, `the id ${row.id} of its row`);
  const came = `a body of ${describeDigest(body)}`;
  wrong("wrong-body", came, `the record of row ${row.id}, ${describeDigest(digestOf(row))}`);
}

function digestOf(row: VisitRow): BodyDigest {
  return bodyDigest(recordOf(row));
}

function isRecord(body: BodyDigest, row: VisitRow): boolean {
  return isSameDigest(digestOf(row), body);
}

function isSame(row: Visit, visit: Visit): boolean {
  return row.user === visit.user && row.page === visit.page && row.text === visit.text;
}

function describeDifference(row: Visit, visit: Visit): string {
  const key = (["user", "page", "text"] as const).find((key) => row[key] !== visit[key])!;
  return `another ${key}, "${row[key]}" in place of "${visit[key]}"`;
}

/**
 * Returns a function that finds the id in an answer that has the record of its line with another row's id. CRC-32 is
 * affine: of two texts of one length, the digests differ by what the texts differ by, whatever else is in them. So an
 * id changes the digest of every record in the same way.
 */
function idsByDigest({ rows }: JudgeContext) {
  let ids: Map<number, number> | undefined;
  const changeOf = (id: number) =>
    digestOf({ ...rows[0]!, id }).crc32 ^ digestOf({ ...rows[0]!, id: firstId }).crc32;
  return ({ body }: Answer, visit: Visit): number | undefined => {
    ids ??= new Map(rows.map(({ id }) => [changeOf(id), id]));
    const { crc32, bytes } = digestOf({ ...visit, id: firstId });
    return bytes === body.bytes ? ids.get(crc32 ^ body.crc32) : undefined;
  };
}

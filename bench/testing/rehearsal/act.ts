/** Runs act (https://github.com/nektos/act), and reads from its log which steps ran. */
import { z } from "zod";
import { sumOf } from "../../lib/sum.ts";

/** A step that ran. */
export interface StepRan {
  /** Its key in the workflow; of a called workflow, that of the called job. */
  jobId: string;
  /** Its name, or what it uses or runs; of a step of a composite action, the inner one's. */
  step: string;
  isGood: boolean;
  seconds: number;
}

const lineSchema = z.looseObject({ jobID: z.string(), msg: z.string() });

/** Reads act's log in JSON, one object a line. */
export function readSteps(log: string): StepRan[] {
  return objectsIn(log).flatMap((line) => {
    const { success, data } = lineSchema.safeParse(line);
    if (!success) return [];
    const [, result, step, took = ""] =
      /(Success|Failure) - Main (.+?)(?: \[([\d.µmsnh]+)\])?\s*$/.exec(data.msg) ?? [];
    if (step === undefined) return [];
    return [{
      ...{ jobId: data.jobID, step },
      ...{ isGood: result === "Success", seconds: secondsOf(took) },
    }];
  });
}

const secondsIn: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 1e-3, "µs": 1e-6, ns: 1e-9 };

/** Returns the seconds of a duration as Go writes it: `1m2.5s`. */
function secondsOf(duration: string): number {
  return sumOf(
    [...duration.matchAll(/([\d.]+)([a-zµ]+)/g)],
    ([, count, unit]) => Number(count) * secondsIn[unit!]!,
  );
}

const messageSchema = z.looseObject({ job: z.string().default(""), msg: z.string().default("") });

/** Returns the lines of a log that a person reads. */
export function readMessages(log: string): string[] {
  return objectsIn(log).flatMap((line) => {
    const { success, data } = messageSchema.safeParse(line);
    return success ? [`[${data.job.trim()}] ${data.msg.trimEnd()}`] : [String(line)];
  });
}

/** Returns what each line holds; what is no JSON is not of act itself, and stays a text. */
function objectsIn(log: string): unknown[] {
  return log.split("\n").filter((line) => line.trim() !== "").map((line) => {
    try {
      return JSON.parse(line);
    } catch {
      return line;
    }
  });
}

/** Runs act to its end, and returns its log. */
export async function runAct(
  program: string,
  args: string[],
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<{ success: boolean; log: string }> {
  const child = new Deno.Command(program, { args, cwd, signal, stdin: "null" });
  const { success, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { success, log: decoder.decode(stdout) + decoder.decode(stderr) };
}

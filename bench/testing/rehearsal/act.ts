/** Runs act (https://github.com/nektos/act), and reads from its log which steps ran. */
import { z } from "zod";

/** What a step of a job did. */
export interface StepRan {
  /** As act names it: `Bench/Measure`. */
  job: string;
  step: string;
  result: "success" | "failure" | "skipped";
}

const lineSchema = z.looseObject({
  job: z.string(),
  step: z.string(),
  stage: z.string().optional(),
  stepResult: z.enum(["success", "failure", "skipped"]),
});

/** Reads act's log in JSON, one object a line; of a composite action's steps, each. */
export function readSteps(log: string): StepRan[] {
  return log.split("\n").flatMap((line) => {
    try {
      const { success, data } = lineSchema.safeParse(JSON.parse(line));
      if (!success || (data.stage ?? "Main") !== "Main") return [];
      return [{ job: data.job.trim(), step: data.step, result: data.stepResult }];
    } catch {
      // What is no JSON is not of act itself.
      return [];
    }
  });
}

/** The lines of a log that a person reads, in order. */
export function readMessages(log: string): string[] {
  return log.split("\n").flatMap((line) => {
    try {
      const { job = "", msg = "" } = JSON.parse(line);
      return [`[${String(job).trim()}] ${String(msg).trimEnd()}`];
    } catch {
      return line.trim() === "" ? [] : [line];
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

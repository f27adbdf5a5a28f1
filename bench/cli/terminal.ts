// deno-lint-ignore-file no-console -- the terminal
import { bold, dim } from "@std/fmt/colors";
import cliProgress from "cli-progress";
import type { Report } from "../lib/report.ts";

/** A report on the terminal; disposing of it removes a half-drawn bar. */
export interface TerminalReport extends Report, Disposable {}

/** Without a terminal, progress is printed as a line, no more often than this. */
const plainLineMs = 30_000;

/**
 * Creates a report that writes to stderr: a bar with the time left on a terminal, plain lines elsewhere.
 * Colour follows NO_COLOR.
 */
export function createTerminalReport(): TerminalReport {
  return Deno.stderr.isTerminal() ? createBarReport() : createPlainReport(console.error);
}

function createBarReport(): TerminalReport {
  const stage = followStage();
  let bar: cliProgress.SingleBar | undefined;
  const stop = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    line(text) {
      stop();
      console.error(text);
    },
    progress(label, done, total) {
      const { isNew, left } = stage(done, total, performance.now());
      if (isNew) stop();
      if (bar === undefined) {
        bar = new cliProgress.SingleBar({
          format: `${bold("{label}")} ${dim("{bar}")} {percentage} %  {left}`,
          barsize: 30,
          hideCursor: true,
          clearOnComplete: true,
          gracefulExit: false,
          noTTYOutput: false,
        }, cliProgress.Presets.shades_classic);
        bar.start(total, done, { label, left });
      }
      bar.update(done, { label, left });
      if (done >= total) stop();
    },
    [Symbol.dispose]: stop,
  };
}

/** Creates a report without bars; tests pass their own clock. */
export function createPlainReport(
  print: (text: string) => void,
  clockMs: () => number = () => performance.now(),
): TerminalReport {
  const stage = followStage();
  let lastMs = 0;
  return {
    line: print,
    progress(label, done, total) {
      const now = clockMs();
      const { isNew, left } = stage(done, total, now);
      if (isNew) lastMs = now;
      if (now - lastMs < plainLineMs || done >= total) return;
      lastMs = now;
      print(`${label}: ${Math.floor(100 * done / total)} %${left === "" ? "" : `, ${left}`}`);
    },
    [Symbol.dispose]: () => {},
  };
}

/** Tracks progress: another total, or less done than before, starts a new stage with its own time. */
function followStage() {
  let current = { total: 0, done: 0, startDone: 0, startMs: 0 };
  return (done: number, total: number, nowMs: number): { isNew: boolean; left: string } => {
    const isNew = total !== current.total || done < current.done;
    current = isNew ? { total, done, startDone: done, startMs: nowMs } : { ...current, done };
    const elapsedSeconds = (nowMs - current.startMs) / 1000;
    const gained = done - current.startDone;
    // Until a twentieth is done, and in the first second, an estimate would be a guess.
    const left = elapsedSeconds < 1 || gained < total / 20
      ? ""
      : `${formatDuration((total - done) * elapsedSeconds / gained)} left`;
    return { isNew, left };
  };
}

/** Formats a duration as minutes and seconds. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes === 0 ? `${whole} s` : `${minutes} min ${whole % 60} s`;
}

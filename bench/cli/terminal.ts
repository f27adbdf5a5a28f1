// deno-lint-ignore-file no-console -- the terminal
import { bold, dim } from "@std/fmt/colors";
import cliProgress from "cli-progress";
import type { Report } from "../lib/report.ts";

/** A report on the terminal, to be disposed of so that a bar does not stay half drawn. */
export interface TerminalReport extends Report, Disposable {}

/** Where there is no terminal, a line says how far the work is, no more often than this. */
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

/** Creates a report without bars, for tests with a clock of their own. */
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

/** Follows the work: another total, or less done than before, is another stage, whose time counts from there. */
function followStage() {
  let current = { total: 0, done: 0, startDone: 0, startMs: 0 };
  return (done: number, total: number, nowMs: number): { isNew: boolean; left: string } => {
    const isNew = total !== current.total || done < current.done;
    current = isNew ? { total, done, startDone: done, startMs: nowMs } : { ...current, done };
    const elapsedSeconds = (nowMs - current.startMs) / 1000;
    const gained = done - current.startDone;
    // Before a twentieth is done, or in the first second, it would be a guess.
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

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
  return Deno.stderr.isTerminal() ? createBarReport() : createPlainReport();
}

function createBarReport(): TerminalReport {
  let bar: cliProgress.SingleBar | undefined;
  let current = { total: 0, done: 0, startDone: 0, startMs: 0 };
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
      if (bar === undefined || total !== current.total || done < current.done) {
        stop();
        current = { total, done, startDone: done, startMs: performance.now() };
        bar = new cliProgress.SingleBar({
          format: `${bold("{label}")} ${dim("{bar}")} {percentage} %  {left}`,
          barsize: 30,
          hideCursor: true,
          clearOnComplete: true,
          gracefulExit: false,
          noTTYOutput: false,
        }, cliProgress.Presets.shades_classic);
        bar.start(total, done, { label, left: "" });
      }
      current.done = done;
      bar.update(done, { label, left: describeLeft(current) });
      if (done >= total) stop();
    },
    [Symbol.dispose]: stop,
  };
}

function createPlainReport(): TerminalReport {
  let current = { total: 0, done: 0, startDone: 0, startMs: 0 };
  let lastMs = 0;
  return {
    line: (text) => console.error(text),
    progress(label, done, total) {
      const now = performance.now();
      if (total !== current.total || done < current.done) {
        current = { total, done, startDone: done, startMs: now };
        lastMs = now;
      }
      current.done = done;
      if (now - lastMs < plainLineMs) return;
      lastMs = now;
      console.error(`${label}: ${Math.floor(100 * done / total)} %  ${describeLeft(current)}`);
    },
    [Symbol.dispose]: () => {},
  };
}

/** Says how long the rest takes at the speed so far; nothing in the first second, when that is a guess. */
function describeLeft(
  { total, done, startDone, startMs }: {
    total: number;
    done: number;
    startDone: number;
    startMs: number;
  },
): string {
  const elapsedSeconds = (performance.now() - startMs) / 1000;
  if (elapsedSeconds < 1 || done <= startDone) return "";
  return `${formatDuration((total - done) * elapsedSeconds / (done - startDone))} left`;
}

/** Formats a duration as minutes and seconds. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes === 0 ? `${whole} s` : `${minutes} min ${whole % 60} s`;
}

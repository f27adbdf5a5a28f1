import { assertEquals } from "@std/assert";
import { createPlainReport, formatDuration } from "./terminal.ts";

/** A plain report with what it printed, and a clock that a test moves. */
function makeReport() {
  const clock = { ms: 0 };
  const lines: string[] = [];
  const report = createPlainReport((line) => lines.push(line), () => clock.ms);
  return { clock, lines, report };
}

Deno.test("createPlainReport() says every half a minute how far the work is, and how long the rest takes", () => {
  const { clock, lines, report } = makeReport();
  for (let done = 0; done <= 70; done++) {
    report.progress("deno, 10 connections", done, 100);
    clock.ms += 1_000;
  }
  assertEquals(lines, [
    "deno, 10 connections: 30 %, 1 min 10 s left",
    "deno, 10 connections: 60 %, 40 s left",
  ]);
});

Deno.test("createPlainReport() counts the time of a resumed stage from where it began, not from zero", () => {
  const { clock, lines, report } = makeReport();
  report.progress("deno, 50 connections", 50, 100);
  clock.ms = 30_000;
  report.line("Something else");
  report.progress("deno, 50 connections", 75, 100);
  assertEquals(lines, ["Something else", "deno, 50 connections: 75 %, 30 s left"]);
});

Deno.test("createPlainReport() begins to count anew where less is done than before", () => {
  const { clock, lines, report } = makeReport();
  report.progress("startup of deno", 0, 15);
  clock.ms = 20_000;
  report.progress("startup of deno", 14, 15);
  report.progress("startup of rust", 0, 15);
  clock.ms = 49_000;
  report.progress("startup of rust", 5, 15);
  assertEquals(lines, []);
  clock.ms = 50_000;
  report.progress("startup of rust", 5, 15);
  assertEquals(lines, ["startup of rust: 33 %, 1 min 0 s left"]);
});

Deno.test("createPlainReport() does not guess how long the rest takes before a twentieth is done", () => {
  const { clock, lines, report } = makeReport();
  report.progress("Building oha", 0, 200);
  clock.ms = 30_000;
  report.progress("Building oha", 9, 200);
  clock.ms = 60_000;
  report.progress("Building oha", 20, 200);
  assertEquals(lines, ["Building oha: 4 %", "Building oha: 10 %, 9 min 0 s left"]);
});

Deno.test("formatDuration() formats minutes and seconds", () => {
  assertEquals([59.6, 3, 125].map(formatDuration), ["1 min 0 s", "3 s", "2 min 5 s"]);
});

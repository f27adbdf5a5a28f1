import { assertEquals } from "@std/assert";
import { countPerInterval, warmUpFigures } from "./series.ts";

Deno.test("countPerInterval() counts every event once, also those on the edges", () => {
  assertEquals(countPerInterval([0, 0.1, 0.25, 0.99, 1.0, 1.2], 1.0), [2, 1, 0, 3]);
});

Deno.test("countPerInterval() has a last interval for the part that is left over", () => {
  assertEquals(countPerInterval([0.6], 0.6), [0, 0, 1]);
});

Deno.test("warmUpFigures() finds the first second, steady state and the way there", () => {
  const ramp = [10, 20, 40, 80, 90, ...new Array(15).fill(100)];
  assertEquals(warmUpFigures(ramp, 5), {
    firstSecondPerSecond: 150,
    steadyPerSecond: 400,
    // 80 + 90 + 100 + 100 is 370 and too little; 90 + 100 + 100 + 100 is 390.
    secondsToSteady: 1,
    requestsToSteady: 150,
  });
});

Deno.test("warmUpFigures() is not moved by one stalled interval", () => {
  const series = new Array(20).fill(100);
  series[15] = 0;
  assertEquals(warmUpFigures(series, 5).steadyPerSecond, 400);
});

Deno.test("warmUpFigures() finds no steady state in a server that still gets faster", () => {
  // Spring MVC on virtual threads, 50,000 requests on 50 connections, 2 cores.
  // deno-fmt-ignore
  const series = [
    247, 400, 392, 468, 524, 688, 812, 802, 819, 870, 702, 923, 994, 849, 1140, 1203, 917, 1000, 942, 993, 1005,
    1048, 985, 1194, 1253, 1351, 1357, 1269, 1033, 1149, 1059, 1072, 1616, 1581, 1674, 1768, 1477, 1809, 2010, 1648,
    1724, 1766, 2234, 1062, 171,
  ];
  assertEquals(warmUpFigures(series, 11.04), { firstSecondPerSecond: 1507 });
});

Deno.test("warmUpFigures() leaves the unfinished last interval out", () => {
  const figures = warmUpFigures([100, 100, 100, 100, 100, 100, 100, 100, 1], 2.1);
  assertEquals(figures.steadyPerSecond, 400);
});

Deno.test("warmUpFigures() says nothing of what a short load cannot tell", () => {
  assertEquals(warmUpFigures([100, 100], 0.5), {});
  assertEquals(warmUpFigures([100, 100, 100, 100], 1), { firstSecondPerSecond: 400 });
});

import { assertThrows } from "@std/assert";
import { BenchError } from "../lib/error.ts";
import { requireWithin } from "./describe.ts";

Deno.test("requireWithin() counts each connection as often as the server has descriptors for it", () => {
  requireWithin(undefined, 1_000_000, 2);
  requireWithin(2_128, 2_000, 1);
  assertThrows(
    () => requireWithin(2_128, 2_000, 2),
    BenchError,
    "Cannot open 2,000 connections: the limit of open files is 2,128, expected at least 4,128",
  );
});

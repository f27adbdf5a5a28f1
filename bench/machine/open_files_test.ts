import { assertEquals, assertThrows } from "@std/assert";
import { BenchError } from "../lib/error.ts";
import { requireOpenFiles } from "./open_files.ts";

Deno.test("requireOpenFiles() counts each connection as often as the server has descriptors for it", () => {
  requireOpenFiles(undefined, 1_000_000, 2);
  requireOpenFiles(2_128, 2_000, 1);
  const error = assertThrows(
    () => requireOpenFiles(2_128, 2_000, 2),
    BenchError,
    "Cannot open 2,000 connections: the limit of open files is 2,128, expected at least 4,128",
  );
  assertEquals(
    error.help,
    "Raise it with `ulimit -n 4128`; above the hard limit, as root or in /etc/security/limits.conf. " +
      "Where `bench` measures levels, lower --levels need fewer.",
  );
});

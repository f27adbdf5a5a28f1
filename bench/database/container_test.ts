import { assertEquals } from "@std/assert";
import { runArguments } from "./container.ts";
import { startOptions } from "./settings.ts";

Deno.test("runArguments() publishes on 127.0.0.1 only, and shows no password", () => {
  assertEquals(runArguments("backbench-1", 3307), [
    "run",
    "--detach",
    "--name",
    "backbench-1",
    "--publish",
    "127.0.0.1:3307:3306",
    "--env",
    "MYSQL_ROOT_PASSWORD",
    "--env",
    "MYSQL_DATABASE",
    "docker.io/library/mysql:8.4",
    ...startOptions,
  ]);
});

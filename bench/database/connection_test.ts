import { assertThrows } from "@std/assert";
import { checkVersion } from "./connection.ts";
import { BenchError } from "../lib/error.ts";

Deno.test("checkVersion() refuses MySQL before 8.0 and MariaDB before 10.6", () => {
  checkVersion("MySQL", "8.0.11");
  checkVersion("MySQL", "9.7.4-2");
  checkVersion("MariaDB", "10.6.0-MariaDB");
  checkVersion("MariaDB", "11.4.2-MariaDB-ubu2404");
  assertThrows(
    () => checkVersion("MySQL", "5.7.44"),
    BenchError,
    'Cannot use database "MySQL 5.7.44": its version is too old, expected MySQL 8.0 or later',
  );
  assertThrows(
    () => checkVersion("MariaDB", "10.5.29-MariaDB"),
    BenchError,
    'Cannot use database "MariaDB 10.5.29-MariaDB": its version is too old, expected MariaDB 10.6 or later',
  );
});

import { assertEquals } from "@std/assert";
import { exampleHelloRun, exampleRun } from "../testing/example_run.ts";
import { deriveHelloShares } from "./hello_shares.ts";

const jobs = exampleRun("20260105T000000Z-0000005");
const hellos = exampleHelloRun("20260104T000000Z-0000004");

Deno.test("deriveHelloShares() pairs each implementation's results of one kind of machine", () => {
  const [swift, even] = jobs;
  const elsewhere = { ...even!, machine: { ...even!.machine, cpuCount: 4 } };
  const shares = deriveHelloShares([swift!, elsewhere, ...hellos]);
  assertEquals(shares.map(({ id, scenario, run }) => [id, scenario, run]), [
    ["swift", "jwt-mysql", "20260105T000000Z-0000005"],
  ]);
});

Deno.test("deriveHelloShares() has no line for hello itself, and one for several machines of a kind", () => {
  const [swift] = jobs;
  const replica = { ...swift!, replica: 2 };
  assertEquals(deriveHelloShares([swift!, replica, ...hellos]).length, 1);
  assertEquals(deriveHelloShares(hellos), []);
});

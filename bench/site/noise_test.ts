import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { falseAlarmTexts, readNoise } from "./noise.ts";
import type { NoiseFile } from "../results/files_schema.ts";
import { exampleNoise } from "../testing/example_files.ts";
import { writeAtomically } from "../lib/write_atomically.ts";

Deno.test("readNoise() names what was compared with itself as runs do, where the measurement does not say", async () => {
  const folder = await Deno.makeTempDir();
  const ids = ["20260105T000000Z-0000005", "20260106T000000Z-0000006"];
  const [{ program: _, ...unnamed }, named] = ids.map(exampleNoise) as [NoiseFile, NoiseFile];
  for (const file of [{ ...unnamed, impl: "vertx" }, named]) {
    await writeAtomically(join(folder, `${file.id}.json`), JSON.stringify(file));
  }
  const namesWith = async (names: [id: string, name: string][]) =>
    (await readNoise(folder, new Map(names))).map(({ name }) => name);
  const own = named.program!.name;
  assertEquals(await namesWith([["vertx", "Vert.x, Kotlin"], [named.impl, "Other"]]), [
    own,
    "Vert.x",
  ]);
  assertEquals(await namesWith([]), [own, "vertx"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("falseAlarmTexts() adds up all measurements of a scenario, without comparisons that have no ratio", () => {
  const of = (scenario: string, name: string, ...alarms: (boolean | undefined)[]) => ({
    ...{ scenario, name },
    comparisons: alarms.map((isFalseAlarm) => ({ connections: 50, isFalseAlarm })),
  });
  const noises = [
    of("jwt-mysql", "Rust", true, false, undefined),
    of("jwt-mysql", "Deno", false),
    of("hello", "Rust", true, true),
  ];
  assertEquals(falseAlarmTexts(noises), {
    "jwt-mysql": "Deno and Rust compared with themselves: 1 false alarm in 3",
    "hello": "Rust compared with itself: 2 false alarms in 2",
  });
  assertEquals(falseAlarmTexts([]), {});
});

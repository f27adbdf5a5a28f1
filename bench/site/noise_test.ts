import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import type { ComparisonPlan } from "../results/comparison_schema.ts";
import { comparisonPlans } from "../results/profiles.ts";
import type { FigureId } from "./answer/view.ts";
import { falseAlarmsOf, falseAlarmsText, readNoise } from "./noise.ts";
import { shareInterval } from "../statistics/mod.ts";
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

Deno.test("falseAlarmsOf() pools measurements with today's plan, and earlier ones, and an answer names those with the slices of its run", () => {
  const figure = (name: string, count: number, comparisons: number) => ({
    ...{ name, comparisons, isOfToday: true },
    falseAlarms: { count, share: count / comparisons, low: 0, high: 1 },
  });
  const of = (name: string, ...figures: ReturnType<typeof figure>[]) => ({
    ...{ scenario: "jwt-mysql", name },
    figures,
  });
  const rust = of("Rust", figure("warm goodput", 1, 20), figure("CPU per answer", 3, 20));
  const deno = of("Deno", figure("warm goodput", 2, 5), figure("CPU per answer", 1, 5));
  const [both] = falseAlarmsOf([rust, deno]);
  assertEquals(both!.figures.map(({ name, count, comparisons }) => [name, count, comparisons]), [
    ["warm goodput", 3, 25],
    ["CPU per answer", 4, 25],
  ]);
  const [goodput] = both!.figures;
  assertEquals([goodput!.low, goodput!.high], Object.values(shareInterval(3, 25)));
  assertEquals(both!.figures.map(({ programs }) => programs), [
    "Deno and Rust compared with themselves",
    "Deno and Rust compared with themselves",
  ]);
  assertEquals(falseAlarmsOf([rust, { ...deno, scenario: "hello" }]).length, 2);
  const before = rust.figures.map((figure) => ({ ...figure, isOfToday: false }));
  const pools = falseAlarmsOf([{ ...rust, figures: before }, deno]);
  const today = comparisonPlans.quick;
  const textOf = (figure: FigureId, comparison?: ComparisonPlan, all = pools) =>
    falseAlarmsText(all, { scenario: "jwt-mysql", figure, plan: { comparison } });
  // Another p99 leaves the other figures of a measurement with those of today.
  const p99 = { ...figure("p99", 7, 20), isOfToday: false };
  const mixed = falseAlarmsOf([{ ...rust, figures: [...rust.figures, p99] }, deno]);
  assertEquals(mixed.map(({ isOfToday, figures }) => [isOfToday, figures.length]), [
    [true, 2],
    [false, 1],
  ]);
  // In the order of reading, also where a measurement has the last figure alone.
  const older = falseAlarmsOf([
    { ...rust, figures: [...rust.figures, p99] },
    { ...deno, figures: [...deno.figures.map((it) => ({ ...it, isOfToday: false })), p99] },
  ])[1]!;
  assertEquals(older.figures.map(({ name }) => name), ["warm goodput", "CPU per answer", "p99"]);
  // The worst may be of other programs.
  const alone = falseAlarmsOf([deno, of("Rust", figure("p99", 19, 20))]);
  assertEquals(
    textOf("throughput", today, alone),
    "Deno compared with itself: 2 false alarms in 5 (warm goodput), at worst 19 in 20 (p99, Rust compared with itself)",
  );
  // A run is shown with what was found with its own slices.
  assertEquals(
    textOf("throughput", today),
    "Deno compared with itself: 2 false alarms in 5 (warm goodput)",
  );
  const earlier = { ...today, slices: 4, sliceSeconds: 0.15, joinsSlices: undefined };
  assertEquals(
    textOf("throughput", earlier),
    "Rust compared with itself: 1 false alarm in 20 (warm goodput), at worst 3 in 20 (CPU per answer), with earlier plans",
  );
  assertEquals(
    textOf("cpu", today),
    "Deno compared with itself: 1 false alarm in 5 (CPU per answer)",
  );
  assertEquals(textOf("startup", today), undefined);
  assertEquals(textOf("memory", today), undefined);
  assertEquals(textOf("throughput"), undefined);
  assertEquals(textOf("throughput", today, []), undefined);
  assertEquals(falseAlarmsOf([]), []);
});

import { assert, assertEquals } from "@std/assert";
import { comparedRunOf } from "../../results/compared_run.ts";
import { deriveOne } from "../derived_run.ts";
import { sum } from "../../lib/sum.ts";
import { exampleHelloRun, exampleRun, withSlowGenerator } from "../../testing/example_run.ts";
import { median } from "../../statistics/mod.ts";
import type { StartupSide } from "../../results/protocols_schema.ts";
import type { Result } from "../../results/result_schema.ts";
import { type Marks, marksWith } from "../marks.ts";
import { threeDigits } from "../three_digits.ts";
import { answerViews } from "./answers.ts";
import { mostWords } from "./throughput.ts";
import type { AnswerView } from "./view.ts";

const results = exampleRun("20260105T000000Z-0000005");

function viewsOf(...runs: Result[][]): AnswerView[] {
  const marks = runs.reduce<Marks>(marksWith, new Map());
  return answerViews(
    runs.map((results) => {
      const { exported, runs } = deriveOne(results, { local: false, earlier: [] });
      return { api: exported, results, known: runs };
    }),
    marks,
  );
}

function viewOf(results: Result[], figure: string): AnswerView {
  return viewsOf(results).find((view) => view.figure === figure)!;
}

Deno.test("answerViews() relates warm goodput to the fastest, with the interval of the pair and the cost of a cold start", () => {
  const { exported } = deriveOne(results, { local: false, earlier: [] });
  const { ratio } = exported.pairs!.find(({ a, b }) => a === "swift" && b === "freezing")!;
  const { address, answer, groups, facts } = viewOf(results, "throughput");
  assertEquals(address, "");
  assertEquals(
    answer,
    "Even and Swift lead, tied; Swift answers 2.1 times as many requests as Freezing.",
  );
  assertEquals(facts, [
    "1 January 2026",
    "Example CPU, 2 processors, shared with the load generator and the database",
    "95 % interval of this run",
  ]);
  const [standard, tuned] = groups;
  assertEquals(standard!.rows.map(({ id, brackets, tied }) => [id, brackets, tied]), [
    ["swift", ["start"], "tied with Even"],
    ["even", ["end"], "tied with Swift"],
    ["freezing", ["none"], undefined],
  ]);
  const [swift, , freezing] = standard!.rows;
  assertEquals([swift!.relative, swift!.interval], ["100 %", undefined]);
  assertEquals(freezing!.relative, `${(100 / ratio.estimate).toPrecision(2)} %`);
  assertEquals(
    freezing!.interval,
    `${(100 / ratio.high).toPrecision(2)}–${(100 / ratio.low).toPrecision(2)} %`,
  );
  const { coldStart } = exported.impls.find(({ id }) => id === "freezing")!.levels[0]!;
  const { bar, tail, at } = freezing!.plot!;
  assert(coldStart!.high >= 1 ? tail === undefined : tail!.from === bar!.to && tail!.to === at);
  assertEquals(tuned!.rows.map(({ name }) => name), ["Tweaked"]);
});

Deno.test("answerViews() names a single leader once, and its command repeats the measurement", () => {
  const { answer, command } = viewOf(
    results.toReversed().filter(({ impl }) => impl.id !== "even").map((result) => ({
      ...result,
      provenance: { ...result.provenance, command: `just bench ${result.impl.id} full` },
    })),
    "throughput",
  );
  assertEquals(answer, "Swift leads: it answers 2.1 times as many requests as Freezing.");
  assertEquals(command, "just bench swift full");
});

Deno.test("answerViews() repeats the measurement of the first that a view lists, whoever leads in throughput", () => {
  const { command } = viewOf(
    results.map(({ startup, ...result }) => ({
      ...result,
      // It is the fastest.
      startup: result.impl.id === "swift" ? undefined : startup,
      provenance: { ...result.provenance, command: `just bench ${result.impl.id} full` },
    })),
    "startup",
  );
  assertEquals(command, "just bench even full");
});

Deno.test("answerViews() gives other figures as they are, the lowest first, and calls nobody tied", () => {
  const { address, answer, groups } = viewOf(results, "startup");
  assertEquals(address, "answers/jwt-mysql/startup/");
  const [standard] = groups;
  assertEquals(standard!.rows.map(({ id, tied }) => [id, tied]), [
    ["swift", undefined],
    ["even", undefined],
    ["freezing", undefined],
  ]);
  const { startup } = results.find(({ impl }) => impl.id === "swift")!;
  const ms = 1e3 * median(startup!.blocks.flatMap(({ subject }) => subject.seconds));
  assertEquals(standard!.rows[0]!.absolute, `${Number(ms.toPrecision(3))} ms`);
  const { estimate } = startup!.ratio!;
  assertEquals(standard!.rows[0]!.relative, `${threeDigits(estimate)} ×`);
  // Rows are in the order of ratios, and the sentence has these: the greatest ratio need not be of the longest time.
  const [fastest, slowest] = ["swift", "freezing"].map((id) =>
    `${
      threeDigits(results.find(({ impl }) => impl.id === id)!.startup!.ratio!.estimate)
    } times the control’s`
  );
  assertEquals(answer, `Startup ranges from ${fastest} (Swift) to ${slowest} (Freezing).`);
});

Deno.test("answerViews() has what each stroke reaches over as a text, in the unit of its figure", () => {
  const units = { p99: "ms", cpu: "µs", memory: "MiB", startup: "times the control’s" };
  for (const [figure, unit] of Object.entries(units)) {
    const rows = viewOf(results, figure).groups.flatMap(({ rows }) => rows);
    assertEquals(
      rows.map(({ range }) => range !== undefined && range.endsWith(` ${unit}`)),
      rows.map(({ plot }) => plot?.interval !== undefined),
      figure,
    );
  }
  const { low, high } = results.find(({ impl }) => impl.id === "swift")!.startup!.ratio!;
  const [swift] = viewOf(results, "startup").groups[0]!.rows;
  assertEquals(swift!.range, `${threeDigits(low)}–${threeDigits(high)} times the control’s`);
});

Deno.test("answerViews() orders starts by the ratio to the control: times depend on what the machine did before", () => {
  const quickened = results.map((result) => {
    if (result.impl.id !== "freezing") return result;
    const quicken = ({ seconds, ...rest }: StartupSide) => ({
      ...rest,
      seconds: seconds.map((time) => time / 100),
    });
    const { blocks, ...startup } = result.startup!;
    const quick = blocks.map(({ subject, control }) => ({
      subject: quicken(subject),
      control: quicken(control),
    }));
    return { ...result, startup: { ...startup, blocks: quick } };
  });
  const idsOf = (results: Result[]) =>
    viewOf(results, "startup").groups[0]!.rows.map(({ id, plot }) => [id, plot!.at]);
  assertEquals(idsOf(quickened), idsOf(results));
});

Deno.test("answerViews() compares CPU times by their ratios to the control's: the same work takes longer on a slower machine", () => {
  const slowed = structuredClone(results);
  const { levels } = slowed.find(({ impl }) => impl.id === "swift")!.comparison!;
  for (const { rounds } of levels) {
    for (const side of rounds.flatMap(({ subject, reference }) => [subject, reference])) {
      side.cpuSecondsPerAnswer = 100 * side.cpuSecondsPerAnswer!;
    }
  }
  const relatives = (results: Result[]) =>
    viewOf(results, "cpu").groups[0]!.rows.map(({ id, relative }) => [id, relative]);
  assertEquals(relatives(slowed), relatives(results));
  assert(relatives(results).every(([, relative]) => relative !== undefined));
  // In the unit of the control's median: where all rates of it are alike, times are those measured.
  const alone = results.map((result) => ({ ...result, comparison: results[0]!.comparison! }));
  const { connections, rounds, cpuPerAnswer } = alone[0]!.comparison.levels[0]!;
  const logs = rounds.map(({ reference }) => Math.log(reference.cpuSecondsPerAnswer!));
  const control = Math.exp(sum(logs) / logs.length);
  const view = viewsOf(alone).find((view) =>
    view.figure === "cpu" && view.connections === connections
  );
  assertEquals(
    view!.groups[0]!.rows[0]!.absolute,
    `${threeDigits(1e6 * control * cpuPerAnswer!.estimate)} µs`,
  );
});

Deno.test("answerViews() says beside p99 how much the machine's speed changed", () => {
  const slowed = structuredClone(results);
  for (const { rounds } of slowed[0]!.comparison!.levels) {
    for (const { reference } of rounds) reference.seconds *= 2;
  }
  const isNamed = (results: Result[]) =>
    viewOf(results, "p99").notes.some((fact) => fact.startsWith("the control’s speed changed: "));
  const even = results.map((result) => ({ ...result, comparison: results[0]!.comparison! }));
  assertEquals([isNamed(slowed), isNamed(even)], [true, false]);
});

Deno.test("answerViews() reads a share as at most where the load generator limited the fastest, and none where it limited both", () => {
  const viewWith = (...ids: string[]) => {
    const bound = results.map((result) =>
      ids.includes(result.impl.id) ? withSlowGenerator(result) : result
    );
    return viewOf(bound, "throughput");
  };
  const sharesWith = (...ids: string[]) => {
    const { rows } = viewWith(...ids).groups[0]!;
    return new Map(rows.map(({ id, relative }) => [id, relative?.replace(/\d.*/, "")]));
  };
  const sharesOf = (swift?: string, even?: string, freezing?: string) =>
    new Map(Object.entries({ swift, even, freezing }));
  assertEquals(sharesWith(), sharesOf("", "", ""));
  assertEquals(sharesWith("swift"), sharesOf("", "≤ ", "≤ "));
  assertEquals(sharesWith("swift", "even"), sharesOf("", undefined, "≤ "));
  const [, unknown] = viewWith("swift", "even").groups[0]!.rows;
  assertEquals([unknown!.plot, unknown!.missing], [
    undefined,
    "not known: the load generator limited it and the fastest",
  ]);
  assertEquals(sharesWith("freezing"), sharesOf("", "", "≥ "));
  // Of a bound, one end is known: no interval stands beside it.
  const [, , shown] = viewWith("freezing").groups[0]!.rows;
  const [, , plain] = viewWith().groups[0]!.rows;
  assertEquals([shown!.interval, shown!.plot!.interval], [undefined, undefined]);
  assertEquals(shown!.plot!.at, plain!.plot!.interval!.from);

  const { answer, groups: [standard] } = viewWith("swift", "even");
  assertEquals(
    answer,
    "The load generator limits Even and Swift: which of them is fastest is not known.",
  );
  const tied = standard!.rows.map(({ tied }) => tied);
  assertEquals(tied, ["indistinguishable from Even", "indistinguishable from Swift", undefined]);
});

Deno.test("answerViews() reads a share as at least where the load generator limited it in an earlier run only", () => {
  const shareAfter = (change: (result: Result) => Result) => {
    const before = exampleRun("20260104T000000Z-0000004", 1).map((result) =>
      result.impl.id === "freezing" ? change(result) : result
    );
    const { exported, runs } = deriveOne(results, {
      local: false,
      earlier: [comparedRunOf(before)],
    });
    const current = { api: exported, results, known: runs };
    const [{ groups: [standard] }] = answerViews([current], marksWith(new Map(), results)) as [
      AnswerView,
    ];
    return standard!.rows.find(({ id }) => id === "freezing")!.relative!.replace(/\d.*/, "");
  };
  assertEquals([shareAfter((it) => it), shareAfter(withSlowGenerator)], ["", "≥ "]);
});

Deno.test("answerViews() says that a backend uses memory, not that it needs it, and how much where all use the same", () => {
  const { question, answer, facts, groups: [standard] } = viewOf(results, "memory");
  assert(/\buses\b/.test(question), question);
  assertEquals(answer, `Peak memory is ${standard!.rows[0]!.absolute} in each.`);
  assert(facts.some((fact) => fact.includes("limits of heaps are the runtimes’ own")));
});

Deno.test("answerViews() has no absolute figures of different machines", () => {
  const [first, ...others] = results;
  const moved = { ...first!, machine: { ...first!.machine, cpuModel: "Other CPU" } };
  assertEquals(
    new Set(viewsOf([moved, ...others]).map(({ figure }) => figure)),
    new Set(["throughput"]),
  );
});

Deno.test("answerViews() shows cold loads, and says that they decide nothing, where nothing was compared", () => {
  const cold = results.map(({ comparison: _, control: __, plan, ...result }) => {
    const { comparison: ___, ...rest } = plan;
    return { ...result, plan: rest };
  });
  const { answer, groups } = viewOf(cold, "throughput");
  assertEquals(
    answer,
    "No answer: each has one cold load at this level, without an interval.",
  );
  const { goodputPerSecond } = results[0]!.levels[0]!.repetitions[0]!.figures!;
  const swift = groups[0]!.rows.find(({ id }) => id === "swift")!;
  assertEquals(
    [swift.relative, swift.absolute],
    [undefined, `${Number(goodputPerSecond.toPrecision(3)).toLocaleString("en")}/s`],
  );
});

Deno.test("answerViews() leads from every view to the others, in at most 20 words each", () => {
  const views = viewsOf(results, exampleHelloRun("20260104T000000Z-0000004"));
  const addresses = views.map(({ address }) => address);
  assertEquals(new Set(addresses).size, addresses.length);
  for (const { address, answer, choices } of views) {
    assert(answer.split(" ").length <= mostWords, answer);
    for (const { label, options } of choices) {
      assertEquals(
        options.filter(({ isCurrent }) => isCurrent).map((it) => it.address),
        [address],
        label,
      );
      for (const option of options) assert(addresses.includes(option.address), option.address);
    }
  }
  assert(views.some(({ scenario }) => scenario === "hello"));
  assertEquals(views[0]!.choices.at(-1)!.label, "Scenario");
});

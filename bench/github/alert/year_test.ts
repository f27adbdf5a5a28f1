/**
 * Alerts over a simulated year: weekly runs on hosted machines that differ as they were seen to. A machine's ratio to
 * the control differs from run to run by 4.7 %, and from processor to processor by 5 %; its rounds add a half-width of
 * 5 %. Half of the variance of runs is common to the machines of one: nobody knows how much it is. Other figures differ by what is usual for them. Seeded.
 */
import { assert, assertEquals } from "@std/assert";
import { createRandom } from "../../lib/random.ts";
import { draw, normal } from "../../testing/noise.ts";
import { ratioInterval } from "../../statistics/mod.ts";
import type { Figure } from "../figure.ts";
import { type Followed, poolFigures } from "../figures.ts";
import { decide, type RegressionIssue } from "./decision.ts";
import { findRegressions, missingRuns } from "./rule.ts";

type Random = () => number;

const betweenRuns = 0.047;
/** How much of the variance between runs the machines of one share. */
const sharedByMachines = 0.5;
const betweenProcessors = 0.05;
/** Standard deviation of a round's log-ratio, for a half-width of 5 % over ten. */
const ofRound = 0.07;
const levels = [10, 50, 100, 300];
/** Processors of hosted runners of one label, and how often each is assigned. */
const processors = [["first", 0.6], ["second", 0.9], ["third", 1]] as const;
/** Standard deviations of the natural logarithm of figures without an interval. */
const others = [0.02, 0.02, 0.03, 0.03, 0.05, 0.05, 0.05, 0.05, 0.1, 0.1, 0.1, 0.1];

/** An implementation in one scenario, as good as it is on each processor. */
interface Program {
  implId: string;
  scenario: string;
  onProcessor: Map<string, number>;
}

function programOf(random: Random, index: number): Program {
  const scenario = index % 2 === 0 ? "jwt-mysql" : "hello";
  const own = processors.map(([name]) => [name, betweenProcessors * normal(random)] as const);
  return { implId: `impl-${index}`, scenario, onProcessor: new Map(own) };
}

/** Measures a program on several machines: a result for each processor, the one that most have first. */
function measure(
  random: Random,
  { implId, scenario, onProcessor }: Program,
  { week, replicas, loss = 0, isAgain = false }: {
    week: number;
    replicas: number;
    /** By how much it has become slower, as a share. */
    loss?: number;
    isAgain?: boolean;
  },
): Followed[] {
  const day = new Date(Date.UTC(2026, 0, 4 + 7 * week, isAgain ? 9 : 2));
  const stamp = day.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const ofRun = Math.sqrt(sharedByMachines) * betweenRuns * normal(random);
  const machines = draw(replicas, () => {
    const which = random();
    const [processor] = processors.find(([, share]) => which < share)!;
    const ofMachine = Math.log(1 - loss) + onProcessor.get(processor)! +
      ofRun + Math.sqrt(1 - sharedByMachines) * betweenRuns * normal(random);
    const ratio = (name: string, direction: Figure["direction"], value: number): Figure => {
      const found = ratioInterval(draw(10, () => value + ofRound * normal(random)))!;
      const { estimate, low, high, confidence, rounds } = found;
      const interval = { low, high, confidence, rounds };
      return { name, direction, value: estimate, unit: "times the control", interval };
    };
    const figures: Figure[] = [
      ...levels.map((level) => ratio(`warm goodput at ${level}`, "bigger", ofMachine)),
      ratio("startup", "smaller", betweenRuns * normal(random)),
      ...others.map((deviation, index): Figure => ({
        ...{ name: `figure ${index}`, direction: "smaller", unit: "ms" },
        value: 100 * Math.exp(deviation * normal(random)),
      })),
    ];
    return { processor, figures };
  });
  const groups = [...Map.groupBy(machines, ({ processor }) => processor)];
  return groups.sort(([, a], [, b]) => b.length - a.length).map(([processor, group]) => ({
    ...{ scenario, implId, runId: `${stamp}-0000000`, startedAt: day.toISOString() },
    ...{ commit: "0".repeat(40), cpuModel: processor, comparableKey: processor },
    figures: group[0]!.figures.map((_, index) =>
      poolFigures(group.map(({ figures }) => figures[index]!))
    ),
  }));
}

/** The weeks in which issues of a program were opened and closed. */
interface IssueWeeks {
  opened: number[];
  closed: number[];
}

/** Runs weeks of one program, and returns what became of its issues. */
function runWeeks(
  random: Random,
  program: Program,
  { weeks, replicas, lossOf = () => 0 }: {
    weeks: number;
    replicas: number;
    lossOf?: (week: number) => number;
  },
): IssueWeeks {
  const history: Followed[] = [];
  const issues: RegressionIssue[] = [];
  const [opened, closed]: number[][] = [[], []];
  for (let week = 0; week < weeks; week++) {
    const at = { week, replicas, loss: lossOf(week) };
    const run = measure(random, program, at);
    const now = { ...run[0]!, others: run.slice(1) };
    const again = findRegressions(now, history).length === 0
      ? []
      : measure(random, program, { ...at, isAgain: true });
    const rerun = again[0] && { ...again[0], others: again.slice(1) };
    const decision = decide(now, history, { rerun, issues });
    if (decision.kind === "open") {
      opened!.push(week);
      const { since, losses } = decision.findings;
      issues.push({ ...program, number: issues.length + 1, since, losses, state: "open" });
    }
    if (decision.kind === "update") issues.at(-1)!.losses = decision.findings.losses;
    if (decision.kind === "close") {
      closed!.push(week);
      issues.at(-1)!.state = "closed";
    }
    history.push(now, ...run.slice(1));
  }
  return { opened: opened!, closed: closed! };
}

Deno.test("twenty programs that do not change have at most one issue a year, over six years of weekly runs", () => {
  const opened = [1, 2, 3].flatMap((seed) =>
    [1, 3].flatMap((replicas) => {
      const random = createRandom(seed);
      return draw(20, (index) =>
        runWeeks(random, programOf(random, index), { weeks: 52, replicas }).opened).flat();
    })
  );
  assert(opened.length <= 6, `weeks ${opened.join(", ")}`);
});

Deno.test("of programs that become slower, half at 10 % and nearly all at 20 % have an issue within two runs, with three machines", () => {
  const change = 26;
  for (const [loss, least] of [[0.1, 20], [0.2, 39]] as const) {
    const random = createRandom(4);
    const found = draw(40, () => 0).filter((_, index) =>
      runWeeks(random, programOf(random, index), {
        weeks: change + 2,
        replicas: 3,
        lossOf: (week) => week < change ? 0 : loss,
      }).opened.some((week) => week >= change)
    );
    assert(found.length >= least, `${loss}: ${found.length} of 40`);
  }
});

Deno.test("of issues about a loss that lasts, at most one in twenty is closed within ten weeks, on one machine or three", () => {
  const change = 20;
  const random = createRandom(7);
  for (const [replicas, loss] of [[3, 0.1], [3, 0.15], [1, 0.2]] as const) {
    const ofPrograms = draw(40, () => 0).map((_, index) =>
      runWeeks(random, programOf(random, index), {
        weeks: change + 12,
        replicas,
        lossOf: (week) => week < change ? 0 : loss,
      })
    ).filter(({ opened }) => opened.some((week) => week === change || week === change + 1));
    const early = ofPrograms.filter(({ opened, closed }) => {
      const since = opened.find((week) => week >= change)!;
      return closed.some((week) => week > since && week <= since + 10);
    });
    assert(ofPrograms.length >= 10, `${loss}: ${ofPrograms.length}`);
    assert(20 * early.length <= ofPrograms.length, `${early.length} of ${ofPrograms.length}`);
  }
});

Deno.test("of issues about a loss of 15 % that ends, most are closed within four weeks, and nearly all within twelve", () => {
  const [change, end] = [20, 24];
  const random = createRandom(8);
  const after = draw(40, () => 0).map((_, index) =>
    runWeeks(random, programOf(random, index), {
      weeks: end + 12,
      replicas: 3,
      lossOf: (week) => week < change || week >= end ? 0 : 0.15,
    })
  ).filter(({ opened }) => opened.some((week) => week >= change && week < end))
    .map(({ closed }) => (closed.find((week) => week >= change) ?? Infinity) - end + 1);
  const within = (weeks: number) => after.filter((week) => week <= weeks).length / after.length;
  assert(within(4) >= 0.7 && within(12) >= 0.9, after.join(", "));
});

Deno.test("with few runs nothing is judged, and it is said how many are missing", () => {
  const random = createRandom(5);
  const program = programOf(random, 0);
  program.onProcessor = new Map(processors.map(([name]) => [name, 0]));
  const history: Followed[] = [];
  const said: (string | undefined)[] = [];
  for (let week = 0; week < 6; week++) {
    const [now] = measure(random, program, { week, replicas: 1, loss: week < 5 ? 0 : 0.8 });
    now!.comparableKey = now!.cpuModel = "first";
    said.push(missingRuns(now!, history));
    assertEquals(findRegressions(now!, history).length > 0, week === 5);
    history.push(now!);
  }
  assertEquals(
    said[0],
    "no alerts yet: 0 of the 5 comparable runs that a baseline takes, on first",
  );
  assertEquals(said.map((line) => line === undefined), [false, false, false, false, false, true]);
});

import { assertEquals } from "@std/assert";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleDeliveries } from "../testing/example_deliveries.ts";
import { burstTexts, controlText, dashed, deliveryTexts } from "./step_texts.ts";

const runId = "20260105T000000Z-0000005";

Deno.test("burstTexts() has three digits and intervals, and nothing of what was not measured or had no room", () => {
  const [, queueing] = exampleBursts(runId);
  const [step, , thirty] = queueing!.bursts!.steps;
  assertEquals(burstTexts(step!), {
    answered: "8,282",
    failedShare: "17.2 % (16.8 %–17.6 %)",
    meanSeconds: "21.2 (21.1–21.3)",
    p99Seconds: undefined,
    peakThreads: "230",
    peakConnected: "10,000",
    peakEstablished: "8,292",
    peakMemory: "50.0",
  });
  assertEquals(burstTexts(thirty!), undefined);
  const figures = { ...step!.figures!, meanSeconds: undefined };
  const rounds = step!.rounds.map((round) => ({ ...round, peakThreads: undefined }));
  const texts = burstTexts({ ...step!, figures, rounds })!;
  const { meanSeconds, p99Seconds, peakThreads } = texts;
  assertEquals([meanSeconds, p99Seconds, peakThreads], [undefined, undefined, undefined]);
  assertEquals(dashed(texts), { ...texts, meanSeconds: "–", p99Seconds: "–", peakThreads: "–" });
  assertEquals(dashed(burstTexts(thirty!)), undefined);
});

Deno.test("deliveryTexts() has counts, the share that was lost, and no times where nothing arrived", () => {
  const [, pooled, doubling] = exampleDeliveries(runId);
  const step = pooled!.deliveries!.steps[1]!;
  assertEquals(deliveryTexts(step), {
    accepted: "160,020",
    lost: "40,020 (25.0 %)",
    arrivedPerSecond: "2,000",
    acceptP99Milliseconds: "4.00",
    // Of a quarter, no arrival is known.
    arrivalP99Seconds: undefined,
    drainSeconds: "0.10",
    peakThreads: "12",
    peakMemory: "50.0",
  });
  assertEquals(deliveryTexts(doubling!.deliveries!.steps[1]!), undefined);
  const silent = { ...step, arrivalSeconds: undefined, drainSeconds: undefined };
  const { arrivalP99Seconds, drainSeconds, accepted } = deliveryTexts(silent)!;
  assertEquals([arrivalP99Seconds, drainSeconds, accepted], [undefined, undefined, "160,020"]);
  const machine = {
    capacityCpuSeconds: 120,
    idleCpuSeconds: 60,
    stealCpuSeconds: 3,
    swappedBytes: 0,
  };
  const few = { ...step, lost: 1_600 };
  assertEquals(deliveryTexts(few)!.arrivalP99Seconds, "0.00");
  assertEquals(deliveryTexts({ ...few, machine }), deliveryTexts(few));
  assertEquals(deliveryTexts({ ...few, machine, disturbed: "3 s were taken" }), {
    ...deliveryTexts(few)!,
    acceptP99Milliseconds: "≤ 4.00",
    // No answer was read more than 6 ms late.
    arrivalP99Seconds: "≤ 0.01",
    drainSeconds: "≤ 0.11",
  });
});

Deno.test("burstTexts() has digits for one user of very many", () => {
  const [, queueing] = exampleBursts(runId);
  const [step] = queueing!.bursts!.steps;
  const failedShare = { mean: 1 / 87_500, low: 0, high: 0.00005 };
  const { failedShare: text } = burstTexts({
    ...step!,
    figures: { ...step!.figures!, failedShare },
  })!;
  assertEquals(text, "0.0011 % (0.0 %–0.0050 %)");
});

Deno.test("controlText() is of the steps that have a control, and says which end is an upper bound", () => {
  const [fast, slow] = [{ cpuSeconds: 31.2e-6 }, { cpuSeconds: 114e-6, disturbed: "steal" }];
  assertEquals(
    controlText([{ control: slow }, {}, { control: fast }]),
    "control: 31 to ≤ 110 µs of CPU a notification",
  );
  assertEquals(controlText([{ control: fast }]), "control: 31 µs of CPU a notification");
  assertEquals(controlText([{}]), undefined);
});

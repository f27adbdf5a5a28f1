import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type ClaimVerdict,
  judgeAbout,
  judgeAltogether,
  judgeFailures,
  judgeNoBenefit,
  type Range,
} from "./verdict.ts";

const about3 = { about: 3, names: { subject: "Rust", reference: "Deno" } };

Deno.test("judgeAbout() finds a claim reproduced with the whole interval in the band, ends included", () => {
  assertEquals(judgeAbout({ low: 3 / 1.15, high: 3 * 1.15, runs: 3 }, about3, 1.15), {
    verdict: "reproduced here",
    because: "The interval over 3 runs (2.61–3.45) lies within the band of 2.61–3.45.",
  });
});

Deno.test("judgeAbout() finds it not reproduced with the whole interval outside, and says who is faster", () => {
  assertEquals(judgeAbout({ low: 1.9, high: 2.1, runs: 3 }, about3, 1.15), {
    verdict: "not reproduced here",
    because:
      "The interval over 3 runs (1.9–2.1) lies below the band of 2.61–3.45; of these two alone, Rust is faster.",
  });
  assertEquals(judgeAbout({ low: 0.6, high: 0.7, runs: 3 }, about3, 1.15), {
    verdict: "not reproduced here",
    because:
      "The interval over 3 runs (0.6–0.7) lies below the band of 2.61–3.45; of these two alone, Deno is faster.",
  });
  assertEquals(judgeAbout({ low: 3.5, high: 4, runs: 3 }, about3, 1.15), {
    verdict: "not reproduced here",
    because:
      "The interval over 3 runs (3.5–4) lies above the band of 2.61–3.45; of these two alone, Rust is faster.",
  });
});

Deno.test("judgeAbout() does not decide with the interval across an end of the band, or across all of it", () => {
  for (
    const range of [{ low: 2, high: 3, runs: 3 }, { low: 3, high: 4, runs: 3 }, {
      low: 0.9,
      high: 4,
      runs: 3,
    }]
  ) {
    assertEquals(judgeAbout(range, about3, 1.15).verdict, "not decided");
  }
});

Deno.test("judgeNoBenefit() needs the whole interval on one side of the least benefit", () => {
  assertEquals(judgeNoBenefit({ low: 1.06, high: 1.2, runs: 3 }, 1.05), {
    verdict: "refuted",
    because: "The interval over 3 runs (1.06–1.2) lies above 1.05, from which a benefit counts.",
  });
  assertEquals(judgeNoBenefit({ low: 0.8, high: 1.04, runs: 3 }, 1.05), {
    verdict: "reproduced here",
    because: "The interval over 3 runs (0.8–1.04) lies below 1.05, from which a benefit counts.",
  });
  assertEquals(judgeNoBenefit({ low: 1.01, high: 1.08, runs: 3 }, 1.05), {
    verdict: "not decided",
    because: "The interval over 3 runs (1.01–1.08) includes 1.05, from which a benefit counts.",
  });
});

Deno.test("a verdict that is decided stays the same whatever the interval narrows to", () => {
  const bound = fc.double({ min: 0.1, max: 10, noNaN: true });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(fc.property(bound, bound, share, share, (end, otherEnd, from, to) => {
    const [low, high] = [Math.min(end, otherEnd), Math.max(end, otherEnd)];
    const within = (share: number) => Math.min(high, low + share * (high - low));
    const narrower = { low: within(Math.min(from, to)), high: within(Math.max(from, to)) };
    for (
      const judge of [
        (range: Range) => judgeAbout(range, about3, 1.15),
        (range: Range) => judgeNoBenefit(range, 1.05),
      ]
    ) {
      const { verdict } = judge({ low, high, runs: 3 });
      if (verdict !== "not decided") assertEquals(judge({ ...narrower, runs: 3 }).verdict, verdict);
    }
  }));
});

Deno.test("judgeNoBenefit() is refuted by no single run, whose interval leaves out what runs differ by", () => {
  assertEquals(judgeNoBenefit({ low: 1.06, high: 1.2, runs: 1 }, 1.05), {
    verdict: "not reproduced here",
    because: "The interval of this run (1.06–1.2) lies above 1.05, from which a benefit counts.",
  });
  const onThree = judgeNoBenefit({ low: 1.06, high: 1.2, runs: 1, machines: 3 }, 1.05);
  assertEquals(onThree.verdict, "not reproduced here");
});

Deno.test("judgeAltogether() goes by the worst level, is reproduced by all, and names the levels", () => {
  const altogether = (...verdicts: ClaimVerdict[]) =>
    judgeAltogether(
      verdicts.map((verdict, index) => ({
        at: String((index + 1) * 10),
        unit: "connections",
        verdict,
        because: String(index),
      })),
    );
  const [yes, no, open] = ["reproduced here", "not reproduced here", "not decided"] as const;
  assertEquals(altogether(yes, yes), {
    verdict: yes,
    because: "Reproduced here at 10 and 20 connections.",
  });
  assertEquals(altogether(yes, no, open, no), {
    verdict: no,
    because: "Not reproduced here at 20 and 40 connections; reproduced here at 10 connections; " +
      "not decided at 30 connections.",
  });
  assertEquals(altogether(no, "refuted").verdict, "refuted");
  assertEquals(altogether(yes, open), {
    verdict: open,
    because: "Not decided at 20 connections; reproduced here at 10 connections.",
  });
});

Deno.test("judgeFailures() goes by the interval of the share, against the objective or half", () => {
  assertEquals(judgeFailures({ failed: 0, requests: 200_000 }, "none"), {
    verdict: "reproduced here",
    because:
      "0 of 200,000 requests failed; the interval of the share, as of independent requests (0 %–0.00184 %), lies below 0.1 %.",
  });
  assertEquals(judgeFailures({ failed: 100, requests: 200_000 }, "none"), {
    verdict: "not decided",
    because:
      "100 of 200,000 requests failed; the interval of the share, as of independent requests (0.0407 %–0.0608 %), lies below 0.1 %, but it is more than none.",
  });
  const verdictOf = (failed: number, claimed: "none" | "most") =>
    judgeFailures({ failed, requests: 10_000 }, claimed).verdict;
  assertEquals(verdictOf(10, "none"), "not decided");
  assertEquals(verdictOf(100, "none"), "not reproduced here");
  assertEquals([0, 4_000, 5_000, 6_000].map((failed) => verdictOf(failed, "most")), [
    "not reproduced here",
    "not reproduced here",
    "not decided",
    "reproduced here",
  ]);
});

Deno.test("judgeAbout() takes several figures of an article as the band", () => {
  const judge = (low: number, high: number) =>
    judgeAbout({ low, high, runs: 3 }, { about: 6.19, upTo: 8.31 }, 1.15);
  assertEquals(judge(6.2, 8.3), {
    verdict: "reproduced here",
    because: "The interval over 3 runs (6.2–8.3) lies within the band of 6.19–8.31.",
  });
  assertEquals(
    judge(1, 2).because,
    "The interval over 3 runs (1–2) lies below the band of 6.19–8.31.",
  );
  assertEquals(judge(8, 9).verdict, "not decided");
});

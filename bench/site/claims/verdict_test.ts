import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type ClaimVerdict, judgeAbout, judgeAltogether, judgeNoBenefit } from "./verdict.ts";

const about3 = { about: 3, subject: "Rust", reference: "Deno" };

Deno.test("judgeAbout() confirms with the whole interval in the band, ends included", () => {
  assertEquals(judgeAbout({ low: 3 / 1.15, high: 3 * 1.15 }, about3, 1.15), {
    verdict: "confirmed",
    because: "The interval (2.61–3.45) lies within the band of 2.61–3.45.",
  });
});

Deno.test("judgeAbout() refutes with the whole interval outside, and says who is faster", () => {
  assertEquals(judgeAbout({ low: 1.9, high: 2.1 }, about3, 1.15), {
    verdict: "refuted",
    because: "The interval (1.9–2.1) lies below the band of 2.61–3.45; Rust is faster.",
  });
  assertEquals(judgeAbout({ low: 0.6, high: 0.7 }, about3, 1.15), {
    verdict: "refuted",
    because: "The interval (0.6–0.7) lies below the band of 2.61–3.45; Deno is faster.",
  });
  assertEquals(judgeAbout({ low: 3.5, high: 4 }, about3, 1.15), {
    verdict: "refuted",
    because: "The interval (3.5–4) lies above the band of 2.61–3.45; Rust is faster.",
  });
});

Deno.test("judgeAbout() does not decide with the interval across an end of the band, or across all of it", () => {
  for (const range of [{ low: 2, high: 3 }, { low: 3, high: 4 }, { low: 0.9, high: 4 }]) {
    assertEquals(judgeAbout(range, about3, 1.15).verdict, "not decided");
  }
});

Deno.test("judgeNoBenefit() needs the whole interval on one side of the least benefit", () => {
  assertEquals(judgeNoBenefit({ low: 1.06, high: 1.2 }, 1.05), {
    verdict: "refuted",
    because: "The interval (1.06–1.2) lies above 1.05, from where a benefit counts.",
  });
  assertEquals(judgeNoBenefit({ low: 0.8, high: 1.04 }, 1.05), {
    verdict: "confirmed",
    because: "The interval (0.8–1.04) lies below 1.05, from where a benefit counts.",
  });
  assertEquals(judgeNoBenefit({ low: 1.01, high: 1.08 }, 1.05), {
    verdict: "not decided",
    because: "The interval (1.01–1.08) includes 1.05, from where a benefit counts.",
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
        (range: { low: number; high: number }) => judgeAbout(range, about3, 1.15),
        (range: { low: number; high: number }) => judgeNoBenefit(range, 1.05),
      ]
    ) {
      const { verdict } = judge({ low, high });
      if (verdict !== "not decided") assertEquals(judge(narrower).verdict, verdict);
    }
  }));
});

Deno.test("judgeAltogether() is refuted by one level, confirmed by all, and names the levels", () => {
  const altogether = (...verdicts: ClaimVerdict[]) =>
    judgeAltogether(
      verdicts.map((verdict, index) => ({
        connections: (index + 1) * 10,
        verdict,
        because: String(index),
      })),
    );
  assertEquals(altogether("confirmed", "confirmed"), {
    verdict: "confirmed",
    because: "Confirmed at 10 and 20 connections.",
  });
  assertEquals(altogether("confirmed", "refuted", "not decided", "refuted"), {
    verdict: "refuted",
    because:
      "Refuted at 20 and 40 connections; confirmed at 10 connections; not decided at 30 connections.",
  });
  assertEquals(altogether("confirmed", "not decided"), {
    verdict: "not decided",
    because: "Confirmed at 10 connections; not decided at 20 connections.",
  });
});

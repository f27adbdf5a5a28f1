import { assertEquals } from "@std/assert";
import { burstFigureTexts, intervalTexts, shareText } from "../assets/step_text.js";

Deno.test("intervalTexts() keeps an interval that excludes 1 on its side of it", () => {
  assertEquals(intervalTexts({ low: 1.0002, high: 1.04 }), ["> 1.000", "1.040"]);
  assertEquals(intervalTexts({ low: 1.0001, high: 1.0004 }), ["> 1.000", "> 1.000"]);
  assertEquals(intervalTexts({ low: 0.8, high: 0.9998 }), ["0.800", "< 1.000"]);
  assertEquals(intervalTexts({ low: 0.9998, high: 1.1 }), ["1.000", "1.100"]);
});

Deno.test("shareText() has nothing behind the point of the whole, and more digits for less", () => {
  assertEquals(
    [1, 0.9998, 0.171, 0.0043, 0.00002, 0].map(shareText),
    ["100 %", "100.0 %", "17.1 %", "0.43 %", "0.0020 %", "0.0 %"],
  );
});

Deno.test("burstFigureTexts() has an estimate with its interval where that has a width", () => {
  const { failedShare, meanSeconds } = burstFigureTexts({
    failedShare: { mean: 0.172, low: 0.168, high: 0.176 },
    meanSeconds: { mean: 21.2 },
  });
  assertEquals([failedShare, meanSeconds], ["17.2 % (16.8 %–17.6 %)", "21.2"]);
});

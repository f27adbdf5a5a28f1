import { assertEquals } from "@std/assert";
import {
  groupSentences,
  leadSentences,
  orderValue,
  placeWords,
  type Ranked,
  standingOf,
  standingWords,
} from "./standing.ts";

/** Makes an implementation by the letters of its groups, and whom it is faster and slower than. */
function entry(id: string, groups: string, fasterThan = "", slowerThan = ""): Ranked {
  const ratio = { estimate: 1, low: 0.9, high: 1.1 };
  return {
    ...{ id, name: id.toUpperCase(), tiedWith: [], groups: [...groups] },
    ...{ fasterThan: [...fasterThan], slowerThan: [...slowerThan] },
    ratio,
    isGeneratorBound: false,
  };
}

function withoutRatio(id: string): Ranked {
  const { ratio: _, ...rest } = entry(id, "");
  return rest;
}

/** The load generator limited it and the control: it has no ratio to that, and is compared with the others. */
function bound(...of: Parameters<typeof entry>): Ranked {
  return { ...entry(...of), ratio: undefined, isGeneratorBound: true };
}

Deno.test("standingOf() reads pairs from either side, in the order given", () => {
  const pairs = [
    { a: "x", b: "y", verdict: "faster" as const },
    { a: "z", b: "x", verdict: "faster" as const },
    { a: "x", b: "w", verdict: "tied" as const },
    { a: "y", b: "w", verdict: "slower" as const },
    { a: "v", b: "x", verdict: "slower" as const },
  ];
  assertEquals(standingOf("x", pairs, ["z", "w", "x", "v", "y"]), {
    tiedWith: ["w"],
    fasterThan: ["v", "y"],
    slowerThan: ["z"],
  });
});

Deno.test("groupSentences() says who leads, and that the difference between them is too small", () => {
  const entries = [entry("a", "a", "c"), entry("b", "a", "c"), entry("c", "b", "", "ab")];
  assertEquals(groupSentences(entries), [
    "A and B lead; no difference between them could be measured",
    "C is slower than the other 2",
  ]);
});

Deno.test("groupSentences() names all groups that overlap, and only what holds for all of one", () => {
  const entries = [
    entry("a", "a", "cd"),
    entry("b", "ab", "d"),
    entry("c", "b", "d", "a"),
    entry("d", "c", "", "abc"),
  ];
  assertEquals(groupSentences(entries), [
    "A and B are tied, faster than D",
    "B and C are tied, faster than D",
    "D is slower than the other 3",
  ]);
});

Deno.test("groupSentences() compares one that stands alone with the control", () => {
  const alone = entry("a", "a");
  assertEquals(groupSentences([alone]), ["A is tied with the control"]);
  const slow = { ...alone, ratio: { ...alone.ratio!, low: 0.7, high: 0.8 } };
  assertEquals(groupSentences([slow]), ["A is slower than the control"]);
});

Deno.test("groupSentences() does not speak for those that have no ratio", () => {
  const entries = [
    entry("a", "a", "bc"),
    entry("b", "b", "c", "a"),
    entry("c", "c", "", "ab"),
    withoutRatio("d"),
  ];
  assertEquals(groupSentences(entries), [
    "A is faster than the other 2 that were compared",
    "B is faster than C",
    "C is slower than the other 2 that were compared",
  ]);
});

Deno.test("leadSentences() joins levels that say the same, tells classes apart, and is silent without a ratio", () => {
  const tied = [entry("a", "a", "c"), entry("b", "a", "c"), entry("c", "b", "", "ab")];
  const apart = [entry("a", "a", "b"), entry("b", "b", "", "a")];
  const level = (connections: number, entries: Ranked[], implClass = "standard") => ({
    ...{ connections, class: implClass, entries },
  });
  assertEquals(
    leadSentences([
      level(10, tied),
      level(10, [apart[0]!], "tuned"),
      level(50, apart),
      level(100, tied),
    ]),
    "A and B lead at 10 and 100 connections; no difference between them could be measured. " +
      "Tuned: A is tied with the control at 10 connections. A is faster than B at 50 connections",
  );
  assertEquals(leadSentences([level(10, [withoutRatio("a")])]), undefined);
});

Deno.test("standingWords() spells the shorter side out, and calls the other the rest", () => {
  const words = (
    tied: string,
    faster: string,
    slower: string,
    compared: number,
    all = compared,
  ) => {
    const others = [..."bcdefg"].slice(0, all)
      .map((id, index) => index < compared ? entry(id, "") : withoutRatio(id));
    const one = { ...entry("a", "", faster, slower), tiedWith: [...tied] };
    return standingWords(one, [one, ...others]);
  };
  assertEquals(words("", "bcd", "", 3), "faster than the other 3");
  assertEquals(words("", "b", "", 1), "faster than B");
  assertEquals(words("bc", "", "", 2), "tied with the other 2");
  assertEquals(words("b", "cd", "", 3), "tied with B, faster than the rest");
  assertEquals(words("b", "c", "", 2), "tied with B, faster than C");
  assertEquals(words("", "cde", "b", 4), "slower than B, faster than the rest");
  assertEquals(words("d", "e", "bc", 4), "tied with D, faster than E, slower than the rest");
  // One of another control is in no pair: the rest would be too much.
  assertEquals(words("b", "cd", "", 4), "tied with B, faster than C and D");
  assertEquals(words("", "", "", 3), "");
  // Of one without a ratio, nothing is known.
  assertEquals(words("", "bcd", "", 3, 4), "faster than the other 3 that were compared");
  assertEquals(words("b", "cd", "", 3, 4), "tied with B, faster than the rest of those compared");
  assertEquals(words("", "b", "", 1, 2), "faster than B");
});

Deno.test("what the load generator limits is above all that it does not, and leads", () => {
  const slow = entry("c", "b", "", "ab");
  const entries = [bound("a", "a", "c"), bound("b", "a", "c"), slow];
  assertEquals(
    entries.toReversed().sort((a, b) => orderValue(b) - orderValue(a)).map(({ id }) => id),
    ["b", "a", "c"],
  );
  assertEquals(orderValue(withoutRatio("d")), 0);
  assertEquals(groupSentences(entries), [
    "A and B lead; the load generator limits both, so which is fastest is not known",
    "C is slower than the other 2",
  ]);
  assertEquals(groupSentences([bound("a", "a")]), [
    "A and the control are both limited by the load generator, so which is faster is not known",
  ]);
});

Deno.test("placeWords() counts who is faster, and says who shares a place", () => {
  const place = (tiedWith: string, fasterThan: string, slowerThan: string) =>
    placeWords({
      ...{ tiedWith: [...tiedWith], fasterThan: [...fasterThan], slowerThan: [...slowerThan] },
    });
  assertEquals(place("", "bc", ""), "1st");
  assertEquals(place("b", "c", ""), "tied for 1st");
  assertEquals(place("b", "", "a"), "tied for 2nd");
  assertEquals(place("", "d", "ab"), "3rd");
  assertEquals(place("", "", "abcdefghij"), "11th");
  assertEquals(place("", "", "abcdefghijklmnopqrstu"), "22nd");
  assertEquals(place("", "", ""), undefined);
});

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { exampleRun } from "../../bench/testing/example_run.ts";
import { hrefsOf, textOf } from "../../bench/testing/pages.ts";
import { basePath, siteOf } from "../../bench/testing/site.ts";

Deno.test("the site shows claims by article, with the verdict on each level and why", async () => {
  const runId = "20260105T000000Z-0000005";
  const results = exampleRun(runId)
    .map((result) => ({ ...result, plan: { ...result.plan, profile: "full" as const } }));
  const claims = `
    [bands]
    aboutFactor = 1.15
    benefitRatio = 1.05
    [articles.first]
    title = "An article: with <b>mark-up</b>"
    date = "June 2023"
    setting = "a laptop"
    [[claims]]
    id = "twice"
    article = "first"
    claim = "Swift is twice as fast as Freezing"
    figure = "2 times"
    query = { kind = "ratio", subject = "swift", reference = "freezing", levels = [10, 50], about = 2 }
    [[claims]]
    id = "elsewhere"
    article = "first"
    claim = "Both are slower elsewhere"
    figure = "none"
    setting = "a server"
    implies = ["2 ÷ 1 = 2.", "1 + 1 = 2."]
    query = { kind = "not-yet", reason = "nothing here does that" }
    [[claims]]
    id = "bound"
    article = "first"
    claim = "Tweaked is faster by half"
    figure = "1.5 times"
    query = { kind = "ratio", subject = "tweaked", reference = "swift", levels = [10], about = 1.5 }
    [[claims]]
    id = "fails"
    article = "first"
    claim = "Swift never fails"
    figure = "no failure"
    query = { kind = "failures", subject = "swift", levels = [10], claimed = "none" }
  `;
  const site = await siteOf({ runs: results, claims });
  const page = await site.page("claims/index.html");
  assertEquals(textOf(page, "h2"), ["An article: with <b>mark-up</b>"]);
  assert(hrefsOf(page).includes(`${basePath}runs/${runId}/`));
  assertStringIncludes(
    textOf(page, "h2 + p").join(),
    "June 2023. Its setting: a laptop.",
  );
  assertEquals(textOf(page, ".claim h3"), [
    "Swift is twice as fast as Freezing",
    "Tweaked is faster by half",
    "Swift never fails",
  ]);
  assertEquals(textOf(page, ".outcome"), ["Not decided", "Not decided", "Reproduced here"]);
  assertEquals(textOf(page, "h2 ~ .fold li"), [
    "Both are slower elsewhere. Claimed: none; a server. nothing here does that By the article’s figures: 2 ÷ 1 = 2. 1 + 1 = 2.",
  ]);
  const [twice, bound, fails] = page.querySelectorAll(".claim").map((claim) => textOf(claim, "dd"));
  assertEquals(twice!.length, 3);
  assertEquals(twice![0], "2 times");
  assertMatch(twice![1]!, /^2\.\d{3} times \(2\.\d{3} to 2\.\d{3}\): reproduced here/);
  assertMatch(twice![2]!, /^not decided/);
  assertMatch(bound![1]!, /^at least 1\.\d{3} times: not decided/);
  assertMatch(fails![1]!, /^0\.00 % failed \(0\.00 % to 0\.0\d\d %\): reproduced here/);
  assertStringIncludes(
    textOf(page, ".claim .fold p").join(),
    "Example CPU, 2 processors; Swift (",
  );
});

/**
 * One tab of a browser, and what goes wrong in it: what a page says on the console, what its scripts throw, what
 * it asks for in vain or from elsewhere, where it is too wide, and what axe-core finds. In: addresses of a
 * site that is served here. Out: a line for each problem.
 */
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { z } from "zod";

/** A tab that keeps the problems of its page. */
export interface Tab extends AsyncDisposable {
  page: Page;
  /** Returns the problems since the last call, a line each. */
  takeProblems(): string[];
}

/** Opens an empty tab for pages of one origin: what they ask from another is a problem. */
export async function openTab(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  let problems: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", ({ message }) => problems.push(`script: ${message}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== "data:") problems.push(`asks ${url}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} at ${response.url()}`);
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "no answer";
    // The next page does that to what the last one still asked for.
    if (reason !== "net::ERR_ABORTED") problems.push(`${reason} at ${request.url()}`);
  });
  return {
    page,
    takeProblems: () => {
      const taken = problems;
      problems = [];
      return taken;
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** The widths, in CSS pixels, that every page must do with: the narrowest that WCAG 1.4.10 asks for, and a desk's. */
export const viewports = [{ width: 320, height: 640 }, { width: 1440, height: 900 }];

/** Opens a page, and returns its problems at each width and, where it is looked at thoroughly, in each colour scheme. */
export async function inspectPage(
  { page, takeProblems }: Tab,
  url: string,
  { isThorough = true }: { isThorough?: boolean } = {},
): Promise<string[]> {
  const found: string[] = [];
  await page.setViewportSize(viewports[0]!);
  await page.goto(url);
  await openFolds(page);
  for (const { colorScheme, viewport, rules } of isThorough ? thorough : brief) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const problems = await widthProblems(page);
    if (rules !== undefined) problems.push(...await axeProblems(page, rules));
    for (const problem of [...problems, ...takeProblems()]) {
      found.push(`${url} at ${viewport.width} px, ${colorScheme}: ${problem}`);
    }
  }
  return found;
}

/** Opens all that is folded on a page, so that it can be looked at. */
export async function openFolds(page: Page): Promise<void> {
  await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
}

/** Returns a line where the page scrolls across. */
export async function widthProblems(page: Page): Promise<string[]> {
  const { content, window } = z.object({ content: z.number(), window: z.number() }).parse(
    await page.evaluate(
      "({ content: document.documentElement.scrollWidth, window: document.documentElement.clientWidth })",
    ),
  );
  return content > window ? [`scrolls across: ${content} px of content in ${window} px`] : [];
}

const allRules = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
const contrast = { runOnly: { type: "rule", values: ["color-contrast"] } };
const structure = { ...allRules, rules: { "color-contrast": { enabled: false } } };
/** What axe-core is to look for. */
type Rules = typeof allRules | typeof contrast | typeof structure;

const violationsSchema = z.object({
  violations: z.array(z.object({
    id: z.string(),
    nodes: z.array(z.object({ html: z.string(), failureSummary: z.string() })),
  })),
});

/** How a page is looked at: a scheme, a width, and what axe-core looks for there. */
interface Look {
  colorScheme: "light" | "dark";
  viewport: typeof viewports[number];
  rules?: Rules;
}

const [phone, desk] = viewports as [Look["viewport"], Look["viewport"]];

/** Structure depends on the width alone: once for each is enough. Contrast depends on both. */
const thorough: Look[] = [
  { colorScheme: "light", viewport: phone, rules: allRules },
  { colorScheme: "light", viewport: desk, rules: contrast },
  { colorScheme: "dark", viewport: phone, rules: contrast },
  { colorScheme: "dark", viewport: desk, rules: allRules },
];

/** For a page that differs from another in its data alone: with the same colours. */
const brief: Look[] = [
  { colorScheme: "light", viewport: phone, rules: structure },
  { colorScheme: "light", viewport: desk },
];

/** Returns a line for each rule of accessibility that the page breaks. */
export async function axeProblems(page: Page, rules: Rules = allRules): Promise<string[]> {
  if (await page.evaluate("!('axe' in window)")) await page.evaluate(axe.source);
  // Preloading would fetch style sheets again, for a rule that is not among these.
  const options = { ...rules, resultTypes: ["violations"], preload: false };
  const { violations } = violationsSchema.parse(
    await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`),
  );
  return violations.map(({ id, nodes }) => {
    const [first] = nodes;
    return `axe ${id}, ${nodes.length} times: ${first?.html}: ${first?.failureSummary}`;
  });
}

/** The cards of pages: what links to them are shown with. In: what the pages answer. Out: pictures. */
import { throughputView } from "./answer/throughput.ts";
import type { Headline } from "./headline.ts";
import type { Marks } from "./marks.ts";
import { type CardContent, cardOf } from "./pictures/card.ts";
import type { Picture } from "./pictures/picture.ts";

/** Returns what cards about a headline share; the standard class alone, since classes are ranked separately. */
export function contentOf(headline: Headline, marks: Marks): CardContent {
  const { question, answer, axis, ticks, groups, facts } = throughputView(headline, marks);
  const { id, scenario, connections, machines } = headline;
  return {
    question: `${question} ${scenario}, ${connections} connections`,
    title: answer,
    ...{ axis, ticks, rows: groups[0]?.rows ?? [] },
    source: `run ${id}, ${machines.join(" and ")}; ${facts.join(", ")}`,
  };
}

/** Draws the card of a run. */
export function runCard(headline: Headline, marks: Marks): Picture {
  return cardOf("card", contentOf(headline, marks));
}

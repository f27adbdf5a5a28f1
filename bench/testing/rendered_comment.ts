import { renderComment } from "../github/comment/render.ts";
import type { Result } from "../results/result_schema.ts";
import { exampleResult } from "./example_result.ts";

/** What an event of a pull request says, for tests. */
export const context = {
  headSha: "1a2b3c4" + "0".repeat(33),
  runUrl: "https://github.com/backbench/backbench/actions/runs/5",
};

/** Renders the comment for files with these names: bytes, texts, or what is to be JSON. */
export function render(files: Record<string, unknown>): string {
  const encoder = new TextEncoder();
  return renderComment(
    new Map(
      Object.entries(files).map(([name, data]) => [
        name,
        data instanceof Uint8Array
          ? data
          : encoder.encode(typeof data === "string" ? data : JSON.stringify(data)),
      ]),
    ),
    context,
  );
}

/** Renders one result, a complete one with changes. */
export function renderResult(change: (result: Result) => void): string {
  const result = exampleResult();
  change(result);
  return render({ "example.json": result });
}

/** Returns the comment without what unfolds. */
export function screenOf(text: string): string {
  return text.slice(0, text.indexOf("<details>"));
}

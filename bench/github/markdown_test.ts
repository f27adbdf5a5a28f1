import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { marked } from "marked";
import { parse } from "node-html-parser";
import { code, codeBlock, number } from "./markdown.ts";

Deno.test("code() leaves a plain text as it is", () => {
  assertEquals(
    code("status is 500, expected <401> & more"),
    "`status is 500, expected <401> & more`",
  );
});

Deno.test("code() ends with the text: no backtick, line end or cell of a table gets out of it", () => {
  assertEquals(code("a`b|c\r\nd\u2028e"), "`aˋb¦c d e`");
});

Deno.test("code() shows nothing that hides or turns what is beside it", () => {
  assertEquals(code("a\u202Eb\u200Bc\u0000d\uD800e"), "`a b c d e`");
});

Deno.test("code() cuts what is long, between characters", () => {
  assertEquals(code("😀".repeat(300)), `\`${"😀".repeat(200)}…\``);
});

Deno.test("code() shows that a text is empty", () => {
  assertEquals(code(" \n"), "(empty)");
});

Deno.test("codeBlock() shows the last lines", () => {
  const text = Array.from({ length: 30 }, (_, line) => `line ${line}`).join("\n");
  assertEquals(codeBlock(text).split("\n").slice(1, -1)[0], "line 10");
  assertEquals(codeBlock("```\n@everyone"), "```text\nˋˋˋ\n@everyone\n```");
});

Deno.test("number() is short, however big the number", () => {
  assertEquals([number(12_345.6), number(0.12345, 3), number(1e300), number(Infinity)], [
    "12,346",
    "0.123",
    "1.00e+300",
    "Infinity",
  ]);
});

/** What a text of a stranger is made of, when it means harm. */
const hostile = fc.array(
  fc.oneof(
    fc.constantFrom(
      "`",
      "``",
      "|",
      "\\",
      "\n",
      "\n\n",
      "~~~",
      "<b>",
      "</code>",
      "<!--",
      "-->",
      "@a",
    ),
    fc.constantFrom("[a](http://b)", "![a](b)", "https://a.b", "# ", "&#96;", "&lt;", "\r", "\t"),
    fc.string({ unit: "binary" }),
  ),
  { maxLength: 12 },
).map((parts) => parts.join(""));

Deno.test("code() gives one element of code in a paragraph, a list and a table, whatever the text", () => {
  fc.assert(fc.property(hostile, (text) => {
    const span = code(text);
    if (span === "(empty)") return;
    const html = parse(
      marked.parse(`${span}\n\n- ${span}: end\n\n| a | b |\n| - | - |\n| ${span} | end |\n`, {
        async: false,
      }),
    );
    assertEquals(html.querySelectorAll("code").length, 3, html.toString());
    assertEquals(html.querySelectorAll("td").at(-1)?.textContent, "end");
    html.querySelectorAll("code").forEach((element) => element.remove());
    assertEquals(html.textContent.replaceAll(/\s+/g, " ").trim(), ": end a b end");
    assert(!/<(?!\/?(p|ul|li|table|thead|tbody|tr|th|td)\b)/.test(html.toString()));
  }));
});

Deno.test("codeBlock() gives one block, whatever the text", () => {
  fc.assert(fc.property(hostile, (text) => {
    const html = parse(marked.parse(`${codeBlock(text)}\n\nend`, { async: false }), {
      blockTextElements: { pre: true },
    });
    assertEquals(html.querySelectorAll("pre").length, 1);
    assertEquals(html.querySelector("p")?.textContent, "end");
  }));
});

import { assertEquals } from "@std/assert";
import { csvOf, markdownOf } from "../assets/table_text.js";

Deno.test("markdownOf() has a line below the names, and escapes what divides cells", () => {
  assertEquals(
    markdownOf([["Name", "Rate"], ["a | b", "1,000"], ["c", ""]]),
    "| Name | Rate |\n| --- | --- |\n| a \\| b | 1,000 |\n| c |  |\n",
  );
});

Deno.test("csvOf() quotes, takes separators of thousands out, and makes no formulas", () => {
  assertEquals(
    csvOf([["Name", "Rate"], ['a "b", c', "12,345.6"], ["=1+1", "-0.5 %"], ["-x", "1 to 2,000"]]),
    'Name,Rate\r\n"a ""b"", c",12345.6\r\n' + "'=1+1,-0.5 %\r\n" + `'-x,"1 to 2,000"\r\n`,
  );
});

import { assertEquals } from "@std/assert";
import { helpToFind, nearest, suggestion } from "./nearest.ts";

const known = ["jwt-mysql", "gateway", "hello", "insert"];

Deno.test("nearest() finds the word that was meant, and none where no word is near", () => {
  const words = { helo: "hello", jwt: "jwt-mysql", gatway: "gateway", nothing: undefined };
  for (const [word, meant] of Object.entries(words)) {
    assertEquals(nearest(word, known), meant, word);
  }
  assertEquals(nearest("hello", []), undefined);
});

Deno.test("suggestion() and helpToFind() say nothing where no word is near", () => {
  assertEquals(suggestion("helo", known), '; did you mean "hello"?');
  assertEquals(helpToFind("helo", known), { help: 'Did you mean "hello"?' });
  assertEquals([suggestion("nothing", known), helpToFind("nothing", known)], ["", {}]);
});

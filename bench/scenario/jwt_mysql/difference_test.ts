import { assertEquals } from "@std/assert";
import { describeDifference } from "./difference.ts";

const right = `{"email":"zoe@example.com","first":"Zoë","last":null,"age":42}`;

const cases: [name: string, body: string | Uint8Array, expected: string][] = [
  [
    "another value",
    right.replace("42", '"42"'),
    `body has another value of "age", "42", from byte 60 on: …","last":null,"age":"42"}`,
  ],
  [
    "another order of keys",
    `{"first":"Zoë","email":"zoe@example.com","last":null,"age":42}`,
    "body has its keys in another order, first email last age, from byte 2 on: " +
    `{"first":"Zoë","email":"zoe@example.com",…`,
  ],
  [
    "white space",
    right.replaceAll(":", ": "),
    'body has white space, from byte 9 on: {"email": "zoe@example.com","first": "Zoë","last…',
  ],
  [
    "needless escapes",
    right.replace("ë", "\\u00eb"),
    "body has escaped letters that need no escape, from byte 38 on: " +
    `…ple.com","first":"Zo\\u00eb","last":null,"age":42}`,
  ],
  [
    "a missing key",
    right.replace(`,"last":null`, ""),
    `body has no key last, from byte 43 on: …om","first":"Zoë","age":42}`,
  ],
  [
    "an extra key",
    right.replace("}", `,"id":1}`),
    `body has an extra key id, from byte 62 on: …"last":null,"age":42,"id":1}`,
  ],
  [
    "a body that is cut",
    right.slice(0, 20),
    'body has something else than one JSON object, from byte 20 on: {"email":"zoe@exampl',
  ],
  [
    "no body",
    "",
    "body has something else than one JSON object, from byte 0 on: (nothing)",
  ],
  [
    "Latin-1",
    Uint8Array.from(right, (letter) => letter.charCodeAt(0)),
    "body has bytes that are not UTF-8, from byte 38 on: " +
    `…ple.com","first":"Zo\ufffd","last":null,"age":42}`,
  ],
  [
    "an array",
    `[${right}]`,
    "body has something else than one JSON object, from byte 0 on: " +
    '[{"email":"zoe@example.com","first":"Zo\ufffd…',
  ],
  [
    "a line feed at the end",
    `${right}\n`,
    'body has white space, from byte 63 on: …last":null,"age":42}\n',
  ],
];

Deno.test("describeDifference() says in what way a body differs, and where", async (t) => {
  const encoder = new TextEncoder();
  for (const [name, body, expected] of cases) {
    await t.step(name, () => {
      const bytes = typeof body === "string" ? encoder.encode(body) : body;
      assertEquals(describeDifference(bytes, encoder.encode(right)), expected);
    });
  }
});

import { assertEquals } from "@std/assert";
import { bodyOf } from "./known_users.ts";

Deno.test("bodyOf() escapes what JSON demands and nothing else", () => {
  const user = {
    email: "o'neil@example.com",
    first: 'Zoë "Z"',
    last: null,
    city: "a/b",
    county: "é\n",
    age: 7,
  };
  assertEquals(
    new TextDecoder().decode(bodyOf(user)),
    `{"email":"o'neil@example.com","first":"Zoë \\"Z\\"","last":null,"city":"a/b","county":"é\\n","age":7}`,
  );
});

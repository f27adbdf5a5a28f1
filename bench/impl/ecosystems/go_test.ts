import { assertEquals } from "@std/assert";
import { ecosystem } from "./go.ts";

Deno.test("go.mod has the modules that it requires, in lines and blocks, and none that it only replaces", () => {
  const text = `module m

go 1.26.0

require a.io/b v1.0.0

require (
	c.io/d/v5 v5.3.1
	e.io/f v0.0.0-20250101000000-abcdef123456 // indirect
)

replace (
	g.io/h v1.0.0 => ./h
)
`;
  assertEquals(Object.fromEntries(ecosystem.lockFile!.read(text)), {
    "a.io/b": "1.0.0",
    "c.io/d/v5": "5.3.1",
    "e.io/f": "0.0.0-20250101000000-abcdef123456",
  });
});

Deno.test("Go's own packages are those whose first element has no dot", () => {
  const names = ["net/http", "fmt", "c.io/d", "github.com/golang-jwt/jwt/v5"];
  assertEquals(names.filter((name) => ecosystem.isBuiltIn!(name)), ["net/http", "fmt"]);
});

Deno.test("a copy's own name is the last part of its module's, and stands in no other line of go.mod", () => {
  const text = "module example.org/gin\n\nrequire github.com/gin-gonic/gin v1.11.0\n";
  assertEquals(
    text.replaceAll(
      ecosystem.ownNames!["go.mod"]!("gin"),
      (_, before, after) => `${before}gin-2${after}`,
    ),
    text.replace("org/gin", "org/gin-2"),
  );
});

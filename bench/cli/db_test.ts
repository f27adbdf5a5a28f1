import { assertEquals, assertStringIncludes } from "@std/assert";
import { howToTry } from "./db.ts";

Deno.test("howToTry() gives a shell all that the contract gives to a server, whatever is in a password", async () => {
  const address = {
    host: "127.0.0.1",
    port: 3306,
    user: "u",
    password: "a'b $c",
    name: "backbench",
  };
  const text = howToTry({ address }, "0".repeat(64));
  const line = text.split("\n").find((line) => line.startsWith("  export "))!;
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `${line}; env`],
    clearEnv: true,
  }).output();
  const given = new Map(
    new TextDecoder().decode(stdout).trim().split("\n").map((line) => {
      const [name = "", ...value] = line.split("=");
      return [name, value.join("=")];
    }),
  );
  for (
    const [name, value] of Object.entries({
      HOST: "127.0.0.1",
      PORT: "8080",
      DB_USER: "u",
      DB_PASSWORD: "a'b $c",
      DB_NAME: "backbench",
      DB_POOL_MAX: "16",
      JWT_SECRET: "0".repeat(64),
      UPSTREAM_URL: "http://127.0.0.1:9",
    })
  ) {
    assertEquals(given.get(name), value);
  }
  assertStringIncludes(given.get("DATABASE_URL")!, "@127.0.0.1:3306/backbench");
});

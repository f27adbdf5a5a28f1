import { assert, assertEquals } from "@std/assert";
import { decodeBase64Url } from "@std/encoding";
import { nowSeconds } from "./forged_tokens.ts";
import { prepareGround } from "../../testing/ground.ts";

Deno.test("probe() sends a token that is valid now, however long ago the scenario was prepared", async () => {
  await using ground = await prepareGround();
  const now = Date.now;
  Date.now = () => now() + 2 * 60 * 60 * 1000;
  try {
    const { header, path } = ground.scenario.probe();
    const [, payload] = header.replace("authorization: Bearer ", "").split(".");
    const { iat, exp } = JSON.parse(new TextDecoder().decode(decodeBase64Url(payload!)));
    assertEquals(path, "/");
    assert(iat <= nowSeconds() && nowSeconds() + 60 < exp, `iat is ${iat}, exp ${exp}`);
  } finally {
    Date.now = now;
  }
});

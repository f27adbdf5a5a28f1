import { assertArrayIncludes, assertEquals, assertMatch } from "@std/assert";
import { findToolchain, noToolchain } from "../../impl/toolchains.ts";
import { findProblems, start } from "../../measure/ground.ts";
import { controlImpl } from "../../native/native.ts";
import { groundOf } from "../../testing/ground.ts";
import { redTeamDelay } from "../../testing/red_team.ts";
import { ensureNative } from "../../tools/tools.ts";
import { scenario } from "./mod.ts";

/** The checks that may catch a cheat, and what each says: a busy machine hides how early some answers come. */
const verified: Record<string, Record<string, RegExp>> = {
  "honest": {},
  "answers-early": {
    "right answer": /^an answer after 2[34]\d\.\d ms$/,
    "64 delays at once": /^an answer after \d+\.\d ms( \(and \d+ more\))?$/,
  },
  // The 51st request of a process is one of the 64.
  "does-not-wait-for-some": { "64 delays at once": /^an answer after \d+\.\d ms$/ },
  "answers-round-delays": {
    "right answer": /^body is {"delayed":300}$/,
    "64 delays at once": /^body is .*more\)$/,
  },
};

Deno.test("delay", async (t) => {
  await using ground = await groundOf(scenario);

  await t.step("is what the control does", async () => {
    const impl = controlImpl(await ensureNative(ground));
    assertEquals(await findProblems({ impl, toolchain: noToolchain }, ground), []);
  });
  await t.step("finds a server that takes everything for a delay", async () => {
    const impl = await redTeamDelay("honest");
    await using subject = await start({ impl, toolchain: await findToolchain(impl) }, ground);
    await using lenient = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => {
        const text = decodeURIComponent(new URL(request.url).pathname).replace("/delay/", "");
        return Response.json({ delayed: Number(text) });
      },
    );
    const url = `http://127.0.0.1:${lenient.addr.port}`;
    const problems = await ground.scenario.verifyAnswers({ ...subject, url }, ground);
    const found = problems.map(({ check, came }) => `${check}: ${came}`);
    assertArrayIncludes(found, [
      'no number: status is 200, body: {"delayed":null}',
      'blank: status is 200, body: {"delayed":0}',
      'negative number: status is 200, body: {"delayed":-5}',
      'fraction: status is 200, body: {"delayed":1.5}',
    ]);
  });
  for (const [id, expected] of Object.entries(verified)) {
    await t.step(`catches ${id} at ${Object.keys(expected).join(", ") || "nothing"}`, async () => {
      const impl = await redTeamDelay(id);
      await using subject = await start({ impl, toolchain: await findToolchain(impl) }, ground);
      let problems = await ground.scenario.verifyAnswers(subject, ground);
      // A machine that is busy just then hides all of them: they are asked for again.
      for (let times = 1; id !== "honest" && problems.length === 0 && times < 10; times++) {
        problems = await ground.scenario.verifyAnswers(subject, ground);
      }
      assertEquals(problems.length > 0, id !== "honest");
      for (const { check, came } of problems) assertMatch(came, expected[check] ?? /^$/);
    });
  }
});

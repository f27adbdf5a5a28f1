import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { findToolchain, noToolchain } from "../impl/toolchains.ts";
import type { Startable } from "../impl/start.ts";
import { silent } from "../lib/report.ts";
import { sum } from "../lib/sum.ts";
import { controlImpl } from "../native/native.ts";
import { burstsSchema, type BurstStep } from "../results/burst_schema.ts";
import { loadScenario } from "../scenario/list.ts";
import { groundOf } from "../testing/ground.ts";
import { loadSessionOf } from "../testing/load_session.ts";
import { redTeamDelay } from "../testing/red_team.ts";
import { ensureNative } from "../tools/tools.ts";
import { type BurstStepOptions, measureBurstStep } from "./burst.ts";
import { startBar } from "./progress.ts";
import { ensureBurstTools } from "./protocols.ts";

const users = 1_000;
const step = { users, delaySeconds: 1 };
const plan = { steps: [step], rounds: 1, warmUpRequests: 100, patienceSeconds: 20, holdSeconds: 1 };

/** What the tests beside this one do to the machine is no concern here. */
function ofServer({ rounds }: BurstStep): string[] {
  return (rounds[0]?.invalidBecause ?? [])
    .filter((reason) => !/^(other processes|the hypervisor|the machine swapped)/.test(reason));
}

Deno.test("a burst", async (t) => {
  const scenario = await loadScenario("delay");
  await using ground = await groundOf(scenario, { poolMax: 1, mostRepeats: 0 });
  const session = await loadSessionOf(ground);
  using bar = startBar(silent);
  const options: BurstStepOptions = {
    ...{ session, plan, bar, title: "test" },
    tools: await ensureBurstTools(session),
  };
  const control = {
    impl: controlImpl(await ensureNative(session)),
    toolchain: noToolchain,
  };
  const sideOf = async (id: string): Promise<Startable> => {
    const impl = await redTeamDelay(id);
    return { impl, toolchain: await findToolchain(impl) };
  };

  await t.step("answers every user of an honest server, and says what that took", async () => {
    const measured = await measureBurstStep(control, step, options);
    burstsSchema.parse(JSON.parse(JSON.stringify({ steps: [measured] })));
    assertEquals(ofServer(measured), []);
    const { nullServer, rounds: [round] } = measured;
    assertEquals([nullServer!.users, nullServer!.peakOpen], [users, users]);
    const { lateMeanSeconds, lateP99Seconds } = nullServer!;
    assert(lateMeanSeconds! > 0 && lateMeanSeconds! <= lateP99Seconds, JSON.stringify(nullServer));
    const { answered, failures, wrong, waitSeconds, peakThreads, log } = round!;
    assertEquals([answered, failures, wrong, log.lines], [users, {}, {}, 0]);
    assert(waitSeconds!.p50! >= 0.99 && waitSeconds!.mean < 10, JSON.stringify(waitSeconds));
    assert(peakThreads! > 1 && round!.peakMemoryBytes! > 1_000_000, JSON.stringify(round));
    assert(round!.peakConnected > users / 2);
    assert((round!.peakEstablished ?? 0) <= users);
    assert(round!.generatorPeakMemoryBytes! < 100 * 1024 ** 2);
    assert(round!.generatorCpuSeconds! > 0 && round!.harnessCpuSeconds! >= 0);
  });
  const cheats: Record<string, RegExp> = {
    "answers-early":
      /^\d+ of 1,000 users had a wrong answer \(early\); the first: GET \/delay\/\d+ got an answer after 9\d\d\.\d ms, expected none before \d+ ms$/,
    "does-not-wait-for-some":
      /^\d+ of 1,000 users had a wrong answer \(early\); the first: GET \/delay\/\d+ got an answer after/,
    "answers-round-delays":
      /users had a wrong answer \(wrong-body\); the first: GET \/delay\/\d+ got the body {"delayed":1000}/,
  };
  for (const [id, expected] of Object.entries(cheats)) {
    await t.step(`does not count where a server ${id.replaceAll("-", " ")}`, async () => {
      const measured = await measureBurstStep(await sideOf(id), step, {
        ...options,
        plan: { ...plan, warmUpRequests: 0 },
      });
      assertEquals(measured.figures, undefined);
      const [reason = "", ...others] = ofServer(measured);
      assertMatch(reason, expected);
      assertEquals(others, []);
    });
  }
  await t.step("counts users whom a server turns away, and blames no one else", async () => {
    const measured = await measureBurstStep(await sideOf("accepts-few"), step, options);
    assertEquals(ofServer(measured), []);
    const [{ answered, failures }] = measured.rounds as [BurstStep["rounds"][number]];
    const failed = sum(Object.values(failures));
    assertEquals(answered + failed, users);
    assert(failed > 0 && answered > 0, JSON.stringify(failures));
  });
  await t.step("comes from several addresses where one has too few ports", async () => {
    const few = { descriptors: 20_000, ports: 1_000 };
    const measured = await measureBurstStep(control, step, { ...options, limits: few });
    assertEquals([ofServer(measured), measured.rounds[0]!.answered], [[], users]);
  });
  await t.step("is left out where descriptors do not suffice", async () => {
    const few = { descriptors: 1_000, ports: 28_232 };
    const { leftOut, rounds } = await measureBurstStep(control, step, { ...options, limits: few });
    assertEquals([leftOut, rounds], [
      "1,000 users need 1,256 descriptors, the limit is 1,000",
      [],
    ]);
  });
  await t.step("has a reason where the null server cannot hold all users", async () => {
    const measured = await measureBurstStep(control, step, {
      ...options,
      plan: { ...plan, holdSeconds: 2, patienceSeconds: 1 },
    });
    assertStringIncludes(measured.invalidBecause!, "the null server held");
    assertEquals(measured.rounds, []);
  });
});

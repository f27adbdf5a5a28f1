import type { Startable } from "../impl/start.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { delay } from "@std/async";
import { urlOf } from "../database/connection.ts";
import { redTeamImpl } from "../testing/red_team.ts";
import { controlImpl } from "../native/native.ts";
import { createRandom } from "../lib/random.ts";
import { silent } from "../lib/report.ts";
import { startupSchema, type StartupSide } from "../results/protocols_schema.ts";
import { prepareGround } from "../testing/ground.ts";
import { RunBroken } from "../lib/error.ts";
import { StartError } from "../impl/start.ts";
import { measureStartup, timeStart } from "./startup.ts";
import { processesOf } from "../testing/place.ts";
import { findToolchain, noToolchain } from "../impl/toolchains.ts";
import { ensureHyperfine, ensureLauncher, ensureNative } from "../tools/tools.ts";
import { commanded } from "../testing/commanded.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { writeProgram } from "../testing/write_program.ts";

const never = new AbortController().signal;

Deno.test("startup", async (t) => {
  await using ground = await prepareGround();
  const { database, secret } = ground;
  const folder = await Deno.makeTempDir({ prefix: "backbench-startup-" });
  await using logs = await temporaryFolder();
  const native = await ensureNative({ report: silent, signal: never });
  const options = {
    hyperfine: await ensureHyperfine({ report: silent, signal: never }),
    startupPollerPath: native.startupPoller,
    launcher: await ensureLauncher({ report: silent, signal: never }),
    probe: ground.scenario.probe!,
    environment: () => ({
      HOST: "127.0.0.1",
      DATABASE_URL: urlOf(database.address),
      DB_POOL_MAX: "16",
      JWT_SECRET: secret,
      // By its name here, processesOf() finds what was left.
      KEPT: join(folder, "kept"),
    }),
    folder,
    logFolder: logs.path,
    random: createRandom(1),
    report: silent,
    signal: never,
  };
  const control = { impl: controlImpl(native), toolchain: noToolchain };
  const sideOf = async (id: string) => {
    const impl = await redTeamImpl(id);
    return { impl, toolchain: await findToolchain(impl) };
  };
  const assertNothingLeft = async () => {
    assertEquals(await processesOf(folder), []);
    assertEquals(await filesOf(folder, /^startup-/), []);
  };

  await t.step(
    "measureStartup() gives each time and memory, and stops what it started",
    async () => {
      const reported = new Set<string>();
      const startup = await measureStartup(await sideOf("honest"), control, {
        ...options,
        blocks: 3,
        report: { ...silent, progress: (label) => void reported.add(label) },
      });
      startupSchema.parse(startup);
      assertEquals([startup.blocks.length, startup.tool], [3, "hyperfine 1.20.0"]);
      for (const { seconds, memoryBytes } of startup.blocks.flatMap(Object.values<StartupSide>)) {
        assertEquals([seconds.length, memoryBytes.length], [1, 1]);
        for (const bytes of memoryBytes) assert(bytes > 1024 ** 2 && bytes < 1024 ** 3, `${bytes}`);
      }
      // A runtime takes many times as long as a native program.
      assert(startup.ratio!.estimate > 2, `${startup.ratio!.estimate}`);
      assertEquals(startup.ratio!.rounds, 3);
      assertEquals(
        [...reported],
        [1, 2, 3].map((block) => `startup of honest and control, block ${block} of 3`),
      );
      assertEquals(startup.artefactBytes, undefined);
      await assertNothingLeft();
    },
  );
  await t.step("measureStartup() draws who is first in each block", async () => {
    const startupPollerPath = join(folder, "poller");
    const record = `printf '{"memoryBytes":1,"memorySource":"pss"}\\n' >>"$2"`;
    await writeProgram(startupPollerPath, `#!/bin/sh\n[ "$1" = start ] || ${record}\n`);
    const drawn = [0.9, 0.1, 0.1, 0.9];
    const started: string[] = [];
    await measureStartup(commanded(["true"]), control, {
      ...options,
      startupPollerPath,
      blocks: drawn.length,
      random: () => drawn[Math.floor(started.length / 2)]!,
      environment: ({ id }) => (started.push(id), {}),
    });
    const firsts = started.filter((_, index) => index % 2 === 0);
    const [one, other] = firsts;
    assertEquals(firsts, [one, other, other, one]);
    assertEquals(new Set([one, other]), new Set(["control", "commanded"]));
  });
  await t.step("measureStartup() says whose memory was read in another way", async () => {
    const startupPollerPath = join(folder, "poller");
    const record = `printf '{"memoryBytes":1,"memorySource":"%s"}\\n' "$MEMORY" >>"$2"`;
    await writeProgram(startupPollerPath, `#!/bin/sh\n[ "$1" = start ] || ${record}\n`);
    const measure = (ofSubject: string[], ofControl: string[]) =>
      measureStartup(commanded(["true"]), control, {
        ...options,
        startupPollerPath,
        blocks: 2,
        environment: ({ id }) => ({
          MEMORY: (id === "control" ? ofControl : ofSubject).shift()!,
        }),
      });
    const both = 'the memory of "commanded" and "control": it was read in 2 ways, expected one';
    await assertRejects(() => measure(["rss", "rss"], ["pss", "pss"]), StartError, both);
    await assertRejects(() => measure(["pss", "rss"], ["pss", "pss"]), StartError, both);
    await assertRejects(() => measure(["pss", "pss"], ["pss", "rss"]), RunBroken, both);
    assertEquals((await measure(["rss", "rss"], ["rss", "rss"])).memorySource, "rss");
    await Deno.remove(startupPollerPath);
  });
  await t.step("timeStart() waits for the right answer, which may come in chunks", async () => {
    const body = new TextEncoder().encode("right answer");
    const probe = () => Promise.resolve({ path: "/", header: "accept: */*", body });
    const { seconds } = await timeStart(scripted(wrongThenChunked), { ...options, probe });
    assert(seconds > 0.3, `${seconds}`);
    await assertNothingLeft();
  });
  await t.step(
    "timeStart() counts and kills the children of a server too, each time",
    async () => {
      const alone = await timeStart(control, options);
      // The server starts when its child runs; before that, the child has no memory worth counting.
      const child = "console.log(); setTimeout(() => {}, 1e6)";
      const withChild = (leaves: string) => {
        const script = `${leaves} "$0" eval "${child}" | { read -r _; exec "$1"; }`;
        return commanded(["sh", "-c", script, Deno.execPath(), native.control]);
      };
      const { memoryBytes: first } = await timeStart(withChild(""), options);
      assert(first > 2 * alone.memoryBytes, JSON.stringify([alone, first]));
      await assertNothingLeft();
      const { memoryBytes: second } = await timeStart(withChild(""), options);
      assert(second < 1.5 * first, JSON.stringify([first, second]));
      await assertNothingLeft();
      if (Deno.build.os !== "linux") return;
      const { memoryBytes: outside } = await timeStart(withChild("setsid"), options);
      assert(outside > 2 * alone.memoryBytes, JSON.stringify([alone, outside]));
      await assertNothingLeft();
    },
  );
  await t.step({
    name: "timeStart() kills what has left the server's process group and session",
    ignore: Deno.build.os !== "linux",
    fn: async () => {
      await timeStart(
        commanded(["sh", "-c", `setsid sleep 1000 & exec "$0"`, native.control]),
        options,
      );
      await assertNothingLeft();
    },
  });
  await t.step({
    name: "timeStart() has no right answer on the disk while the server runs",
    ignore: Deno.build.os !== "linux",
    fn: async () => {
      const told = join(logs.path, "told");
      const script =
        'logs=$(readlink /proc/$$/fd/1 /proc/$$/fd/2); { echo "$logs"; ls "$2"; } >"$1"';
      const start = ["sh", "-c", `${script}; exec "$0"`, native.control, told, folder];
      await timeStart(commanded(start), options);
      const lines = (await Deno.readTextFile(told)).trim().split("\n");
      const log = join(logs.path, "startup.log");
      assertEquals(lines.filter((it) => it !== "hyperfine.json"), [log, log, "startup-record"]);
    },
  });
  await t.step("timeStart() leaves out what ends while its memory is read", async () => {
    const forking = "for i in 1 2 3 4 5 6; do while :; do /bin/true; done & done";
    const side = commanded(["sh", "-c", `${forking}; exec "$0"`, native.control]);
    for (let start = 0; start < 20; start++) await timeStart(side, options);
    await assertNothingLeft();
  });
  await t.step("timeStart() asks for what no earlier start could keep", async () => {
    const side = await sideOf("keeps-first-answer");
    await timeStart(side, options);
    const short = { ...options, timeoutSeconds: 10 };
    const error = await assertRejects(() => timeStart(side, short), StartError);
    assertMatch(error.help ?? "", /within 10 s: status is 200, with \d+ bytes, expected/);
    await Deno.remove(join(folder, "kept"));
    await assertNothingLeft();
  });
  await t.step("timeStart() kills a server that ignores SIGTERM", async () => {
    await timeStart(await sideOf("ignores-sigterm"), options);
    await assertNothingLeft();
  });
  for (
    const [id, reason] of [
      [
        "dies-at-once",
        /the server ended with exit status: 1, expected status 200 and the \d+ bytes/,
      ],
      [
        "wrong-bytes",
        /within 10 s: status is 200, with \d+ bytes, expected status 200 and the \d+/,
      ],
      ["never-listens", /within 10 s: Connection refused \(os error \d+\), expected status 200/],
    ] as const
  ) {
    await t.step(`timeStart() says why ${id} gave no right answer, and stops it`, async () => {
      const side = await sideOf(id);
      const error = await assertRejects(
        () => timeStart(side, { ...options, timeoutSeconds: 10 }),
        StartError,
        `Cannot time the start of "${id}": it failed, expected an answer`,
      );
      assertMatch(error.help ?? "", reason);
      await assertNothingLeft();
    });
  }
  await t.step("measureStartup() stops what it started when it is aborted", async () => {
    const side = await sideOf("never-listens");
    for (const afterMs of [100, 300, 500]) {
      const aborter = new AbortController();
      const measured = measureStartup(side, side, {
        ...options,
        blocks: 1,
        signal: aborter.signal,
      });
      measured.catch(() => {});
      await delay(afterMs);
      aborter.abort(new Error("enough"));
      await assertRejects(() => measured, Error, "enough");
      await assertNothingLeft();
    }
  });
  await Deno.remove(folder, { recursive: true });
});

/** The first answer after 300 ms is right, and has no length. */
const wrongThenChunked = `
const begin = Date.now();
Deno.serve({ hostname: Deno.env.get("HOST"), port: Number(Deno.env.get("PORT")) }, () => {
  if (Date.now() - begin < 300) return new Response("not yet", { status: 503 });
  return new Response(ReadableStream.from(["right", " answer"]).pipeThrough(new TextEncoderStream()));
});`;

function scripted(script: string): Startable {
  return commanded([Deno.execPath(), "eval", script]);
}

async function filesOf(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  return names.filter((name) => pattern.test(name));
}

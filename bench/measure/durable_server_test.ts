import { assert, assertEquals } from "@std/assert";
import { delay } from "@std/async";
import { noToolchain } from "../impl/toolchains.ts";
import { silent } from "../lib/report.ts";
import { controlImpl } from "../native/native.ts";
import { invalidReasons } from "../results/outcome.ts";
import { makePlan } from "../results/plan.ts";
import { loadScenario } from "../scenario/list.ts";
import { withoutMachine } from "../testing/of_machine.ts";
import { ensureNative, ensureOha } from "../tools/tools.ts";
import { beginResult } from "./begin_result.ts";
import { addDurable } from "./durable.ts";
import { openGround } from "./ground.ts";
import type { Contestant, Session } from "./session.ts";
import { exampleFacts } from "../testing/load_session.ts";

const { signal } = new AbortController();

Deno.test("rows are inserted with every commit on disk, and the next load has the setting of all", async () => {
  const folder = await Deno.makeTempDir();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const plan = { ...makePlan("smoke", {}, 7), durable: { connections: 10, requests: 500 } };
  const facts = await exampleFacts("insert", plan);
  const shared = { facts, report: silent, signal, folder };
  const oha = await ensureOha(shared);
  const impl = controlImpl(await ensureNative(shared));
  const scenario = await loadScenario("insert");
  await using ground = await openGround({ ...shared, ...plan, scenario, impls: [] });
  const session: Session = { ...ground, facts, oha, mostRepeats: 0, requestLines: 2_000 };
  const result = await beginResult(impl, noToolchain, new Map(), facts);
  const contestant: Contestant = { impl, toolchain: noToolchain, result };

  await using connection = await ground.database!.connect();
  const setting = async () => {
    const sql = "SELECT @@GLOBAL.innodb_flush_log_at_trx_commit AS setting";
    const [rows] = await connection.query(sql);
    return JSON.stringify(rows);
  };
  const before = await setting();
  const seen = new Set<string>();
  let isDone = false;
  const measuring = addDurable(contestant, session).finally(() => isDone = true);
  while (!isDone) {
    seen.add(await setting());
    await delay(50);
  }
  await measuring;
  assert(seen.has('[{"setting":1}]'), [...seen].join());
  assertEquals([before, await setting()], ['[{"setting":2}]', '[{"setting":2}]']);
  const load = result.durable!.load!;
  assertEquals([load.connections, invalidReasons(load).map(withoutMachine).join("")], [10, ""]);
  assertEquals(load.repetitions[0]!.observation!.correct, 500);
  assertEquals(result.levels, []);
});

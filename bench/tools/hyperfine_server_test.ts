import { assert, assertEquals, assertRejects } from "@std/assert";
import { delay } from "@std/async";
import { join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import { time } from "./hyperfine.ts";
import { silent } from "../lib/report.ts";
import { ensureHyperfine } from "./tools.ts";

const never = new AbortController().signal;

Deno.test("time()", async (t) => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const options = {
    hyperfinePath: (await ensureHyperfine({ report: silent, signal: never })).path,
    conclude: ["true"],
    cwd: folder,
    env: { PATH: Deno.env.get("PATH") ?? "", LETTER: "ä" },
    logPath: join(folder, "log"),
    folder,
    signal: never,
  };

  await t.step(
    "runs both commands once, one after the other, with arguments as they are",
    async () => {
      const words = ["two words", "it's", '"quoted"', "$LETTER", "back\\slash", "", "*"];
      const write = ["sh", "-c", 'for word; do echo "$word-$LETTER" >>written; done', "sh"];
      const conclude = ["sh", "-c", "echo concluded >>written"];
      const seconds = await time([...write, ...words], { ...options, conclude });
      assert(seconds > 0 && seconds < 10, `${seconds}`);
      assertEquals(
        await Deno.readTextFile(join(folder, "written")),
        [...words.map((word) => `${word}-ä`), "concluded", ""].join("\n"),
      );
    },
  );
  await t.step("does not count the concluding command", async () => {
    const seconds = await time(["true"], { ...options, conclude: ["sleep", "2"] });
    assert(seconds < 2, `${seconds}`);
  });
  for (
    const [what, command, conclude] of [
      ["the command", ["sh", "-c", "echo why; exit 3"], ["true"]],
      ["the concluding command", ["true"], ["sh", "-c", "echo why; exit 3"]],
    ] as const
  ) {
    await t.step(`fails with what ${what} printed when it fails`, async () => {
      const timed = () => time([...command], { ...options, conclude: [...conclude] });
      const error = await assertRejects(
        timed,
        BenchError,
        `Cannot time "${command[0]}": it failed, expected it to end with 0`,
      );
      assertEquals(error.help, "why");
    });
  }
  await t.step("kills what the command left behind", async () => {
    const path = join(folder, "pid");
    await time(["sh", "-c", `sleep 600 & echo $! >"$0"`, path], options);
    const pid = Number(await Deno.readTextFile(path));
    while (
      await Deno.readTextFile(`/proc/${pid}/stat`).then((it) => !it.includes(") Z"), () => false)
    ) {
      await delay(10);
    }
  });
  await t.step("ends with its signal", async () => {
    const aborter = new AbortController();
    const timed = time(["sleep", "600"], { ...options, signal: aborter.signal });
    setTimeout(() => aborter.abort(new Error("enough")), 100);
    await assertRejects(() => timed, Error, "enough");
  });
  await Deno.remove(folder, { recursive: true });
});

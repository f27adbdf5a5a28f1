/** Ways to cheat in a comparison by knowing when a turn begins and ends; answers are an honest server's. */
import type { Parts } from "./server.ts";

/** Each way to cheat: what it puts in the place of parts of an honest server. */
export const turnCheats: Record<string, (honest: Parts) => Partial<Parts>> = {
  /** What it answers in the part of a turn that does not count, it hands over when that is over. */
  "holds-answers": (honest) => {
    const held: (() => void)[] = [];
    let isHolding = false;
    watchTurns(() => {
      isHolding = true;
      setTimeout(() => {
        isHolding = false;
        for (const release of held.splice(0)) release();
      }, uncountedMs);
    });
    return {
      async read(...request) {
        const row = await honest.read(...request);
        if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
        return row;
      },
    };
  },

  /** Just before its turn ends, it leaves commands without an answer in the sockets of the database. */
  "leaves-commands": () => {
    // COM_STMT_CLOSE of a statement that there is not: 5 bytes, the first of a sequence. It has no answer. All take more than
    // the second that the database is waited for, on a fast machine, too.
    const command = [5, 0, 0, 0, 0x19, 0xff, 0xff, 0xff, 0x7f];
    const commands = new Uint8Array(command.length * 500_000).map((_, at) => command[at % 9]!);
    return {
      poolMax: 12,
      async begin(pool) {
        const held = await Promise.all(Array.from({ length: 4 }, () => pool.getConnection()));
        watchTurns(() =>
          setTimeout(() => {
            for (const { connection } of held) Reflect.get(connection, "stream").write(commands);
          }, turnMs - 15)
        );
      },
    };
  },
};

/** What does not count at the beginning of a turn, in the test, and a little more. */
const uncountedMs = 52;

/** How long most turns are. */
const turnMs = 200;

/** Calls back when time has passed in which this process did not run: it was frozen, and a turn begins. */
function watchTurns(begin: () => void): void {
  let lastMs = performance.now();
  setInterval(() => {
    const nowMs = performance.now();
    if (nowMs - lastMs > 80) begin();
    lastMs = nowMs;
  }, 1);
}

import { green, red } from "@std/fmt/colors";
import { buildImpl } from "../impl/build.ts";
import type { Command } from "commander";
import { type CommandContext, examples } from "./command.ts";
import { openDatabase } from "../database/open.ts";
import { discoverImpl } from "../impl/discover.ts";
import { defaultPoolMax } from "../results/plan.ts";
import { createRandom } from "../lib/random.ts";
import { prepareJwtMysql } from "../scenario/jwt_mysql/mod.ts";
import { seed } from "../scenario/jwt_mysql/seed.ts";
import { startSubject } from "../impl/start.ts";
import { makeSecret } from "../scenario/jwt_mysql/tokens.ts";
import { findToolchain } from "../impl/toolchains.ts";
import { formatProblem, verify as verifySubject } from "../scenario/verify.ts";
import { lockedVersions } from "../impl/lock_files.ts";

/** Adds `verify`. */
export function addVerify(program: Command, context: CommandContext): void {
  program.command("verify")
    .description("check the contract of an implementation")
    .argument("<impl>", "a folder under impls/")
    .addHelpText("after", examples("verify deno"))
    .action(async (implId: string) => {
      const { text, isGood } = await verify(implId, context);
      context.print(text, isGood);
    });
}

/**
 * Builds and starts one implementation and checks its whole contract.
 *
 * @throws {BenchError} when its versions cannot be read, or it cannot be built or started.
 */
export async function verify(
  implId: string,
  { folders, report, signal, scratch, run }: CommandContext,
): Promise<{ text: string; isGood: boolean }> {
  const impl = await discoverImpl(folders.impls, implId);
  const toolchain = await findToolchain(impl);
  // Not needed here, but a measurement would fail for it, after a verification that had found nothing.
  await lockedVersions(impl, toolchain);
  report.line(`Building ${implId}`);
  await buildImpl(impl, { toolchain, signal });
  await using database = await openDatabase({ report, signal, folder: scratch });
  await seed(database, { signal });
  const secret = makeSecret();
  const random = createRandom(crypto.getRandomValues(new Uint32Array(1))[0]!);
  const scenario = await prepareJwtMysql({ database, secret, random });
  await using subject = await startSubject(impl, {
    toolchain,
    surroundings: { address: database.address, poolMax: defaultPoolMax, secret },
    folder: scratch,
    signal,
    timeoutMs: run?.startTimeoutMs,
  });
  report.line(`Verifying ${implId} against ${database.engine} ${database.version}`);
  const problems = await verifySubject(subject, {
    scenario,
    database,
    poolMax: defaultPoolMax,
    report,
    signal,
  });
  const outage = database.outage === undefined
    ? "\nDatabase loss was not checked: the server of DATABASE_URL is not ours to stop"
    : "";
  return {
    text: problems.length === 0
      ? green(`${implId} meets the contract of ${scenario.id}`) + outage
      : problems.map(formatProblem).join("\n") +
        red(`\n${implId}: ${problems.length} problem${problems.length === 1 ? "" : "s"}`) + outage,
    isGood: problems.length === 0,
  };
}

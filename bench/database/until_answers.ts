/** Waits until a server that was started answers. */
import { delay } from "@std/async";
import { BenchError, messageOf } from "../lib/error.ts";
import { endOfLog } from "../lib/log_lines.ts";
import { describeExit, type Process } from "../lib/process.ts";
import { connectTo } from "./connection.ts";
import type { DatabaseAddress } from "./database.ts";

/** How long to wait after an attempt that failed. */
const pauseMs = 20;

/** Options for {@linkcode untilAnswers}. */
export interface WaitOptions {
  /** How long the server may take, in seconds. */
  seconds: number;
  signal: AbortSignal;
  /** The server's own; absent where it is in a container. */
  process?: Pick<Process, "exited" | "logPath">;
  container?: Container;
}

/** What is asked of the container that a server is in, about once a second. */
export interface Container {
  isRunning(): Promise<boolean>;
  /** Returns the end of what it logged. */
  log(): Promise<string>;
}

/**
 * Connects again and again, until the server answers.
 *
 * @throws {BenchError} with the end of its log, when its process has ended, or it does not answer in time.
 */
export async function untilAnswers(
  address: DatabaseAddress,
  { seconds, signal, process, container }: WaitOptions,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  let askedMs = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const exit = process?.exited();
    if (exit !== undefined) {
      throw new BenchError(
        `Cannot start MySQL: it ended with ${describeExit(exit)}, expected it to answer`,
        { help: await endOfLog(process!.logPath) },
      );
    }
    try {
      return await (await connectTo(address)).end();
    } catch (cause) {
      if (performance.now() > deadline) {
        throw new BenchError(
          `Cannot connect to MySQL on port ${address.port} within ${seconds} s: ${
            messageOf(cause)
          }`,
          { help: process ? await endOfLog(process.logPath) : await container?.log(), cause },
        );
      }
    }
    if (container !== undefined && performance.now() - askedMs > 1000) {
      askedMs = performance.now();
      if (!await container.isRunning()) {
        throw new BenchError(
          "Cannot start MySQL: its container ended, expected it to answer",
          { help: await container.log() },
        );
      }
    }
    await delay(pauseMs, { signal });
  }
}

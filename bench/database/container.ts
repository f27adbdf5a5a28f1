/**
 * MySQL's official image, where Docker or Podman runs. No template: the image initialises itself, and its
 * data are loaded each time.
 */
import { encodeHex } from "@std/encoding";
import { createStatements, newAccounts, secret } from "./accounts.ts";
import { connectTo, orRunBroken, readServer, urlOf, warmPasswordCaches } from "./connection.ts";
import { requireCounting } from "./counters.ts";
import type { Database, OpenDatabaseOptions, ProviderStatus } from "./database.ts";
import { findProgram } from "../lib/find_program.ts";
import { freePort } from "../lib/free_port.ts";
import { afterStart, startOptions } from "./settings.ts";
import { runSql } from "./sql.ts";
import { untilAnswers } from "./until_answers.ts";
import { BenchError } from "../lib/error.ts";

export type Engine = "docker" | "podman";

/** The long-term release; the digest would differ between architectures. */
const image = "docker.io/library/mysql:8.4";

/** The image first runs a server without a network to initialise itself; only the final one answers. */
const startSeconds = 120;

/** Tells whether the container engine is installed and running. */
export async function findContainers(
  engine: Engine,
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<ProviderStatus> {
  const path = await findProgram(engine, env);
  if (path === undefined) {
    return {
      provider: engine,
      available: false,
      detail: `${engine} is not on PATH`,
      help: `Install ${engine === "docker" ? "Docker" : "Podman"}`,
    };
  }
  const { success, stderr } = await new Deno.Command(path, { args: ["info"], signal }).output();
  if (success) return { provider: engine, available: true, detail: `${image}, ${path}` };
  const said = new TextDecoder().decode(stderr).trim().split("\n").at(-1) ?? "";
  return {
    provider: engine,
    available: false,
    detail: `${path} cannot be used: ${said}`,
    help: `Start the service of ${engine}, or allow this user to use it`,
  };
}

/** Returns the arguments of the engine that start the server; its passwords come by the environment. */
export function runArguments(container: string, port: number): string[] {
  return [
    "run",
    "--detach",
    "--name",
    container,
    "--publish",
    `127.0.0.1:${port}:3306`,
    ...["MYSQL_ROOT_PASSWORD", "MYSQL_DATABASE"]
      .flatMap((name) => ["--env", name]),
    image,
    ...startOptions,
  ];
}

/** Starts a private server in a container. */
export async function openContainer(
  engine: Engine,
  { report, signal, grants, sql }: Required<OpenDatabaseOptions>,
): Promise<Database> {
  const id = encodeHex(crypto.getRandomValues(new Uint8Array(6)));
  const container = `backbench-${id}`;
  const port = freePort();
  const place = { host: "127.0.0.1", port, name: "backbench" };
  const accounts = newAccounts(place, (side) => side);
  const root = { ...place, user: "root", password: secret() };
  const env = { MYSQL_ROOT_PASSWORD: root.password, MYSQL_DATABASE: place.name };

  const run = async (args: string[], signal?: AbortSignal): Promise<void> => {
    const command = new Deno.Command(engine, {
      args,
      env,
      ...(signal === undefined ? {} : { signal }),
    });
    const { success, stderr } = await command.output();
    if (success) return;
    const said = new TextDecoder().decode(stderr).trim();
    throw new BenchError(`Cannot run "${engine} ${args[0]}": ${said}`);
  };
  const remove = () => run(["rm", "--force", "--volumes", container]);

  report.line(`Starting ${image} with ${engine}; the first time it is fetched`);
  try {
    await run(runArguments(container, port), signal);
    await untilAnswers(root, { seconds: startSeconds, signal });
    const connection = await connectTo(root);
    try {
      await runSql(connection, sql, { signal });
      for (const statement of [...createStatements(accounts, grants), ...afterStart]) {
        await connection.query(statement);
      }
      await warmPasswordCaches(accounts);
      return {
        provider: engine,
        accounts,
        accountsAreOurs: true,
        counting: await requireCounting(connection, accounts.subject),
        address: accounts.subject,
        url: urlOf(accounts.subject),
        ...await readServer(connection),
        connect: () => orRunBroken(() => connectTo(root)),
        outage: {
          stop: () => run(["kill", container]),
          start: async () => {
            await run(["start", container]);
            await untilAnswers(root, { seconds: startSeconds, signal });
            await using connection = await connectTo(root);
            for (const statement of afterStart) await connection.query(statement);
            await warmPasswordCaches(accounts);
          },
        },
        [Symbol.asyncDispose]: remove,
      };
    } finally {
      await connection.end();
    }
  } catch (error) {
    await remove().catch(() => {});
    throw error;
  }
}

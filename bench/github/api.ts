/** GitHub's REST API: each answer is validated, and an error quotes GitHub's message. */
import { z } from "zod";
import { BenchError, messageOf } from "../lib/error.ts";
import { type Environment, valueOf } from "./environment.ts";

/** The API's address and credentials. */
export interface GitHubApi {
  url: string;
  token: string;
  signal: AbortSignal;
}

/**
 * Returns the API as a workflow's step is told of it.
 *
 * @throws {BenchError} when a variable is missing.
 */
export function apiOf(environment: Environment, signal: AbortSignal): GitHubApi {
  return {
    url: valueOf("GITHUB_API_URL", environment),
    token: valueOf("GITHUB_TOKEN", environment),
    signal,
  };
}

/** The account that a workflow's token belongs to. */
export const botLogin = "github-actions[bot]";

const pageSize = 100;

/** GitHub's refusal of a request. */
class Refused extends BenchError {
  override name = "Refused";
  /** Of the answer. */
  readonly status: number;

  constructor(what: string, status: number, said: string) {
    super(`Cannot ${what}: status is ${status}, expected 200 or 201: ${said}`);
    this.status = status;
  }
}

/**
 * Sends one request, and returns the validated answer.
 *
 * @throws {Refused} when GitHub refuses.
 * @throws {BenchError} when it cannot be reached, or its answer is invalid.
 */
export async function ask<T>(
  schema: z.ZodType<T>,
  path: string,
  { url, token, signal }: GitHubApi,
  { method = "GET", body }: { method?: "GET" | "POST" | "PATCH"; body?: unknown } = {},
): Promise<T> {
  try {
    const response = await fetch(`${url}/${path}`, {
      method,
      body: JSON.stringify(body),
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${token}`,
        "x-github-api-version": "2022-11-28",
      },
      signal,
    });
    const text = await response.text();
    if (!response.ok) throw new Refused(`${method} "${path}"`, response.status, text);
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof Refused) throw cause;
    throw new BenchError(`Cannot ${method} "${path}": ${messageOf(cause)}`, { cause });
  }
}

/** Returns all entries of a list, page by page. */
export async function askAll<T>(
  schema: z.ZodType<T>,
  path: string,
  api: GitHubApi,
  query: Record<string, string> = {},
): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1;; page++) {
    const parameters = new URLSearchParams({
      ...query,
      per_page: `${pageSize}`,
      page: `${page}`,
    });
    const found = await ask(z.array(schema), `${path}?${parameters}`, api);
    all.push(...found);
    if (found.length < pageSize) return all;
  }
}

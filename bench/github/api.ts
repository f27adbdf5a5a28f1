/** GitHub's REST API, as far as we use it: each answer is checked, and a refusal says what GitHub said. */
import { z } from "zod";
import { BenchError, messageOf } from "../lib/error.ts";

/** Where the API is, and who asks. */
export interface GitHubApi {
  url: string;
  token: string;
  signal: AbortSignal;
}

/** Who we are there, with the token of a workflow. */
export const botLogin = "github-actions[bot]";

const pageSize = 100;

/**
 * Asks once, and returns the checked answer.
 *
 * @throws {BenchError} when GitHub refuses, or answers something else.
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
    if (!response.ok) throw new Error(`status is ${response.status}, expected 200 or 201: ${text}`);
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    signal.throwIfAborted();
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

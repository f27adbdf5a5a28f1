import { assertEquals, assertRejects } from "@std/assert";
import { z } from "zod";
import { BenchError } from "../lib/error.ts";
import { ask, askAll } from "./api.ts";

/** Serves what `answer` gives for a request, as GitHub's API. */
function serve(answer: (request: Request) => unknown) {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => Response.json(answer(request)),
  );
  const api = {
    url: `http://127.0.0.1:${server.addr.port}`,
    token: "secret",
    signal: AbortSignal.timeout(10_000),
  };
  return { api, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("ask() shows the token, and names the version of the API", async () => {
  const headers: (string | null)[] = [];
  await using github = serve((request) => {
    headers.push(request.headers.get("authorization"), request.headers.get("x-github-api-version"));
    return 1;
  });
  assertEquals(await ask(z.number(), "rate", github.api), 1);
  assertEquals(headers, ["Bearer secret", "2022-11-28"]);
});

Deno.test("ask() refuses an answer of another shape", async () => {
  await using github = serve(() => ({ number: "7" }));
  await assertRejects(
    () => ask(z.object({ number: z.number() }), "repos/a/b/issues/7", github.api),
    BenchError,
    'Cannot GET "repos/a/b/issues/7": ',
  );
});

Deno.test("askAll() reads every page, with the query on each", async () => {
  const asked: string[] = [];
  await using github = serve(({ url }) => {
    const { search, searchParams } = new URL(url);
    asked.push(search);
    const page = Number(searchParams.get("page"));
    return Array.from({ length: page < 3 ? 100 : 5 }, (_, index) => 100 * page + index);
  });
  const numbers = await askAll(z.number(), "numbers", github.api, { state: "all" });
  assertEquals([numbers.length, numbers.at(-1)], [205, 304]);
  assertEquals(asked, [1, 2, 3].map((page) => `?state=all&per_page=100&page=${page}`));
});

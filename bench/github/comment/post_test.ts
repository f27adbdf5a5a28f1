import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { BenchError } from "../../lib/error.ts";
import { commentMarker } from "./render.ts";
import { parseWorkflowRunEvent, postComment } from "./post.ts";

const sha = "1".repeat(40);
const event = parseWorkflowRunEvent(
  JSON.stringify({
    action: "completed",
    repository: { id: 1, full_name: "backbench/backbench", default_branch: "main" },
    workflow_run: {
      html_url: "https://github.com/backbench/backbench/actions/runs/5",
      head_sha: sha,
      head_branch: "new & #1",
      head_repository: { id: 2, full_name: "someone/backbench", owner: { login: "someone" } },
      pull_requests: [],
    },
  }),
  "event.json",
);
const pull = { number: 7, head: { sha, repo: { id: 2 } } };

interface GitHubState {
  pulls: unknown[];
  /** Paths that the pull request changes. */
  files?: string[];
  comments: { id: number; body: string; user: { login: string } | null }[];
}

/** Posts a comment at a server that answers as GitHub's API does, and tells what it was asked. */
async function post(state: GitHubState) {
  const asked: string[] = [];
  let written = "";
  const withUrl = (comment: { id: number }) => ({ ...comment, html_url: `#${comment.id}` });
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const what = `${request.method} ${pathname}`;
      asked.push(what);
      if (request.headers.get("authorization") !== "Bearer secret") {
        return new Response("Bad credentials", { status: 401 });
      }
      if (what === "GET /repos/backbench/backbench/pulls") {
        assertEquals(searchParams.get("head"), "someone:new & #1");
        assertEquals(searchParams.get("base"), "main");
        return Response.json(state.pulls);
      }
      if (what === "GET /repos/backbench/backbench/issues/7/comments") {
        const start = 100 * (Number(searchParams.get("page")) - 1);
        return Response.json(state.comments.slice(start, start + 100).map(withUrl));
      }
      if (what === "GET /repos/backbench/backbench/pulls/7/files") {
        const start = 100 * (Number(searchParams.get("page")) - 1);
        const files = (state.files ?? []).slice(start, start + 100);
        return Response.json(files.map((filename) => ({ filename })));
      }
      const { body } = await request.json();
      written = body;
      return Response.json({ id: 1_000, html_url: "#1000", user: null, body }, { status: 201 });
    },
  );
  const address = await postComment(`${commentMarker}\n## Backbench: 1 faster\n\nText\n`, event, {
    url: `http://127.0.0.1:${server.addr.port}`,
    token: "secret",
    signal: AbortSignal.timeout(10_000),
  });
  return { address, written, writes: asked.filter((what) => !what.startsWith("GET ")) };
}

const create = "POST /repos/backbench/backbench/issues/7/comments";

Deno.test("postComment() writes a comment on the pull request that has the commit as its head", async () => {
  const { address, writes } = await post({ pulls: [pull], comments: [] });
  assertEquals({ address, writes }, { address: "#1000", writes: [create] });
});

Deno.test("postComment() says first that a pull request changes what measures it", async () => {
  const said = async (...files: string[]) => {
    const { written } = await post({ pulls: [pull], comments: [], files });
    return written.split("\n").slice(2, -3).join("\n");
  };
  assertEquals(await said("impls/go/main.go", "site/data/claims.toml", "CHANGELOG.md"), "");
  assertEquals(
    await said("impls/go/main.go", "bench/measure/judge.ts"),
    "\n**This pull request changes what measures it** (a file `bench/measure/judge.ts`): its figures are what the changed code says.",
  );
  const hostile = await said(".github/workflows/a`b <b> @all.yml", "seed.sql");
  assertStringIncludes(hostile, "(2 files, for example `.github/workflows/aˋb <b> @all.yml`)");
});

Deno.test("postComment() takes recipes, files that tools read, and assets that the harness runs for what measures", async () => {
  for (const file of ["justfile", ".npmrc", "package.json", "site/assets/verdict.js", "a/b.md"]) {
    const { written } = await post({ pulls: [pull], comments: [], files: ["impls/a/b", file] });
    assertStringIncludes(
      written,
      `**This pull request changes what measures it** (a file \`${file}\`)`,
    );
  }
  const files = Array.from({ length: 3_000 }, (_, index) => `impls/go/${index}.go`);
  const { written } = await post({ pulls: [pull], comments: [], files });
  assertStringIncludes(
    written,
    "\n**This pull request may change what measures it**: GitHub lists only 3,000 of its files.\n",
  );
});

Deno.test("postComment() updates its own comment, also beyond the first page", async () => {
  const user = { login: "someone" };
  const others = Array.from({ length: 100 }, (_, id) => ({ id: id + 1, body: "Text", user }));
  const ours = { id: 500, body: `${commentMarker}\nOld`, user: { login: "github-actions[bot]" } };
  const { writes } = await post({ pulls: [pull], comments: [...others, ours] });
  assertEquals(writes, ["PATCH /repos/backbench/backbench/issues/comments/500"]);
});

Deno.test("postComment() takes no comment of another account for its own", async () => {
  const body = `${commentMarker}\nFake`;
  const comments = [{ id: 1, body, user: { login: "someone" } }, { id: 2, body, user: null }];
  assertEquals((await post({ pulls: [pull], comments })).writes, [create]);
});

Deno.test("postComment() takes no comment of the bot without the marker at its start", async () => {
  const body = `Quoted: ${commentMarker}`;
  const comments = [{ id: 1, body, user: { login: "github-actions[bot]" } }];
  assertEquals((await post({ pulls: [pull], comments })).writes, [create]);
});

Deno.test("postComment() writes nothing where the pull request has moved on, or is another fork's", async () => {
  const moved = { number: 7, head: { sha: "2".repeat(40), repo: { id: 2 } } };
  const other = { number: 8, head: { sha, repo: { id: 3 } } };
  const gone = { number: 9, head: { sha, repo: null } };
  const { address, writes } = await post({ pulls: [moved, other, gone], comments: [] });
  assertEquals({ address, writes }, { address: undefined, writes: [] });
});

Deno.test("postComment() says what GitHub answered when it refuses", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("Resource not accessible by integration", { status: 403 }),
  );
  const api = {
    url: `http://127.0.0.1:${server.addr.port}`,
    token: "secret",
    signal: AbortSignal.timeout(10_000),
  };
  await assertRejects(
    () => postComment("", event, api),
    BenchError,
    "status is 403, expected 200 or 201: Resource not accessible by integration",
  );
});

Deno.test("parseWorkflowRunEvent() refuses another event", () => {
  assertThrows(
    () => parseWorkflowRunEvent('{"pull_request": {"number": 7}}', "event.json"),
    BenchError,
    'Cannot read "event.json": it is not the event that a workflow\'s run ended, expected workflow_run',
  );
});

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { BenchError } from "../../lib/error.ts";
import { exampleResult } from "../../testing/example_result.ts";
import { silent } from "../../lib/report.ts";
import { postCommentFile, writeComment } from "./comment.ts";

const event = {
  repository: { id: 1, full_name: "backbench/backbench", default_branch: "main" },
  workflow_run: {
    html_url: "https://github.com/backbench/backbench/actions/runs/5",
    head_sha: "1".repeat(40),
    head_branch: "change",
    head_repository: { id: 1, full_name: "backbench/backbench", owner: { login: "backbench" } },
  },
};

Deno.test("comment writes a file that comment-post sends", async () => {
  const folder = await Deno.makeTempDir();
  const sent: string[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      if (request.method === "POST") {
        const { body } = await request.json();
        sent.push(body);
        return Response.json({ id: 1, html_url: "#1", body, user: null }, { status: 201 });
      }
      const { head_sha: sha } = event.workflow_run;
      if (pathname.endsWith("/files")) return Response.json([]);
      return Response.json(
        pathname.endsWith("/pulls") ? [{ number: 7, head: { sha, repo: { id: 1 } } }] : [],
      );
    },
  );
  const environment = {
    GITHUB_EVENT_PATH: join(folder, "event.json"),
    GITHUB_API_URL: `http://127.0.0.1:${server.addr.port}`,
    GITHUB_TOKEN: "secret",
  };
  const comment = join(folder, "comment.md");
  const signal = AbortSignal.timeout(10_000);
  try {
    await Deno.writeTextFile(environment.GITHUB_EVENT_PATH, JSON.stringify(event));
    await Deno.mkdir(join(folder, "artifact"));
    await Deno.writeTextFile(join(folder, "artifact", "x.json"), JSON.stringify(exampleResult()));
    await writeComment(join(folder, "artifact"), comment, environment);
    const lines: string[] = [];
    const report = { ...silent, line: (text: string) => void lines.push(text) };
    await postCommentFile(comment, environment, { report, signal });
    assertEquals(sent, [await Deno.readTextFile(comment)]);
    assertStringIncludes(sent[0]!, "### `example`: `jwt-mysql`, profile custom");
    assertEquals(lines, ["#1"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("comment says which variable is missing", async () => {
  await assertRejects(
    () => writeComment(".", "comment.md", {}),
    BenchError,
    `Cannot use "GITHUB_EVENT_PATH": it is not set, expected what a workflow's step has`,
  );
});

/** A GitHub with issues, labels and the artifacts of a run only, for tests. */
import { assertEquals } from "@std/assert";
import { z } from "zod";

interface Issue {
  number: number;
  html_url: string;
  title: string;
  body: string;
  labels: string[];
  state: "open" | "closed";
  state_reason: string | null;
  user: { login: string };
  comments: string[];
}

const writeSchema = z.object({
  name: z.string(),
  title: z.string(),
  body: z.string(),
  labels: z.array(z.string()),
  state: z.enum(["open", "closed"]),
  state_reason: z.string(),
}).partial();

interface Artifact {
  name: string;
  expired: boolean;
}

/** A GitHub with issues, labels and artifacts, and what it was asked to write. */
export interface FakeGitHub extends AsyncDisposable {
  url: string;
  issues: Issue[];
  labels: string[];
  /** Of the run that {@linkcode environmentOf} names. */
  artifacts: Artifact[];
  writes: string[];
}

/** Where issues are disabled, GitHub lists none, and answers 410 to whoever opens one. */
export function serveGitHub({ hasIssues = true } = {}): FakeGitHub {
  const github = {
    issues: [] as Issue[],
    labels: ["bug"],
    artifacts: [] as Artifact[],
    writes: [] as string[],
  };
  const answer = async (request: Request): Promise<unknown> => {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace(/^\/repos\/backbench\/backbench\/?/, "");
    if (request.method === "GET") {
      if (path === "") return { has_issues: hasIssues };
      if (path === "labels") return github.labels.map((name) => ({ name }));
      if (path === "actions/runs/5/artifacts") {
        const [page, size] = ["page", "per_page"].map((name) => Number(searchParams.get(name)));
        const artifacts = github.artifacts.slice((page! - 1) * size!, page! * size!);
        return { total_count: github.artifacts.length, artifacts };
      }
      assertEquals([path, searchParams.get("state")], ["issues", "all"]);
      const label = searchParams.get("labels")!;
      return github.issues.filter(({ labels }) => labels.includes(label));
    }
    github.writes.push(`${request.method} ${path}`);
    const written = writeSchema.parse(await request.json());
    if (path === "labels") return { name: github.labels[github.labels.push(written.name!) - 1] };
    if (path === "issues") {
      const number = github.issues.length + 1;
      const issue: Issue = {
        number,
        html_url: `#${number}`,
        title: written.title!,
        body: written.body!,
        labels: written.labels!,
        state: "open",
        state_reason: null,
        user: { login: "github-actions[bot]" },
        comments: [],
      };
      github.issues.push(issue);
      return issue;
    }
    const issue = github.issues[Number(path.split("/")[1]) - 1]!;
    if (path.endsWith("/comments")) return { id: issue.comments.push(written.body!) };
    return Object.assign(issue, written);
  };
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) =>
      !hasIssues && request.method === "POST" && request.url.endsWith("/issues")
        ? new Response('{"message":"Issues are disabled for this repo"}', { status: 410 })
        : request.headers.get("authorization") === "Bearer secret"
        ? Response.json(await answer(request))
        : new Response("Bad credentials", { status: 401 }),
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  return { ...github, url, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** What a step of a workflow has. */
export function environmentOf({ url }: FakeGitHub): Record<string, string> {
  return {
    GITHUB_REPOSITORY: "backbench/backbench",
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_RUN_ID: "5",
    GITHUB_SHA: "0".repeat(40),
    GITHUB_API_URL: url,
    GITHUB_TOKEN: "secret",
  };
}

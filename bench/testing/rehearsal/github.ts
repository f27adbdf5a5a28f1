/**
 * A small GitHub for a rehearsal: one repository over git's own protocol, and as much of the API as the workflows ask
 * for. What the real one refuses, it refuses: no or another token, paths that are not there, bodies that are too long.
 */
import { z } from "zod";
import { BenchError } from "../../lib/error.ts";
import { type Artifacts, createArtifacts } from "./artifacts.ts";

/** The repository's name. */
export const repository = "backbench/backbench";

/** The most characters of an issue or a comment. */
const longestBody = 65_536;

/** An open pull request. */
export interface PullRequest {
  number: number;
  headSha: string;
  headBranch: string;
}

/** A running server. */
export interface RehearsalGitHub extends AsyncDisposable {
  url: string;
  /** What was asked to be written: method, path, status. */
  writes: string[];
  /** Bodies of comments on pull requests and issues, by path. */
  bodies: Map<string, string>;
  pullRequests: PullRequest[];
  artifacts: Artifacts;
}

const bodySchema = z.looseObject({ body: z.string().optional(), title: z.string().optional() });

/** Serves the bare repository `bare` and the API to whoever has the token. */
export function serveGitHub(bare: string, token: string): RehearsalGitHub {
  const state = {
    writes: [] as string[],
    bodies: new Map<string, string>(),
    pullRequests: [] as PullRequest[],
    artifacts: createArtifacts(),
  };
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const ofArtifacts = await state.artifacts.answer(request);
    if (ofArtifacts !== undefined) return ofArtifacts;
    const allowed = request.headers.get("authorization") ?? "";
    const basic = `basic ${btoa(`x-access-token:${token}`)}`.toLowerCase();
    const isOurs = [`bearer ${token}`, `token ${token}`, basic].includes(allowed.toLowerCase());
    if (pathname.startsWith(`/${repository}`)) {
      // As a public repository: who has no token may read.
      const pushes = /service=git-receive-pack|git-receive-pack$/.test(request.url);
      if (pushes && !isOurs) {
        const headers = { "www-authenticate": 'Basic realm="git"' };
        return new Response("a push needs the token", { status: 401, headers });
      }
      return await serveGit(bare, request);
    }
    if (!isOurs) return refuse(401, "Bad credentials");
    const response = await answerApi(request, state);
    if (request.method !== "GET") {
      state.writes.push(`${request.method} ${pathname}: ${response.status}`);
    }
    return response;
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  return {
    ...state,
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function refuse(status: number, message: string): Response {
  return Response.json({ message }, { status });
}

async function answerApi(
  request: Request,
  state: Pick<RehearsalGitHub, "bodies" | "pullRequests" | "artifacts">,
): Promise<Response> {
  const { pathname, searchParams, origin } = new URL(request.url);
  const path = pathname.replace(`/api/v3/repos/${repository}`, "");
  const { method } = request;
  const comments = /^\/issues\/(\d+)\/comments$/.exec(path);
  if (method === "GET") {
    if (path === "") return Response.json({ has_issues: true });
    if (path === "/issues" || path === "/labels" || comments !== null) return Response.json([]);
    if (/^\/pulls\/\d+\/files$/.test(path)) return Response.json([]);
    if (path.startsWith("/commits/")) return Response.json(commitOf(path.slice(9), origin));
    if (path === "/pulls") {
      const found = state.pullRequests.filter(({ headBranch }) =>
        searchParams.get("head") === `${repository.split("/")[0]}:${headBranch}`
      );
      return Response.json(
        found.map(({ number, headSha }) => ({ number, head: { sha: headSha, repo: { id: 1 } } })),
      );
    }
    const artifacts = state.artifacts.list();
    if (/^\/actions\/runs\/\d+\/artifacts$/.test(path)) {
      const listed = artifacts.map(({ id, name, bytes }) => ({
        ...{ id, name, size_in_bytes: bytes.length, created_at: new Date().toISOString() },
      }));
      return Response.json({ total_count: listed.length, artifacts: listed });
    }
    const [, id] = /^\/actions\/artifacts\/(\d+)\/zip$/.exec(path) ?? [];
    const wanted = artifacts.find((it) => String(it.id) === id);
    if (wanted !== undefined) {
      const location = `${origin}/blobs/${encodeURIComponent(wanted.name)}`;
      return new Response(null, { status: 302, headers: { location } });
    }
    return refuse(404, "Not Found");
  }
  const body = bodySchema.safeParse(await request.json().catch(() => undefined));
  if (!body.success) return refuse(400, "Problems parsing JSON");
  if ((body.data.body ?? "").length > longestBody) return refuse(422, "body is too long");
  if (path === "/issues" && !body.data.title) return refuse(422, "title is missing");
  if (comments === null && path !== "/issues" && path !== "/labels") {
    return refuse(404, "Not Found");
  }
  state.bodies.set(path, body.data.body ?? "");
  return Response.json({
    id: 1,
    number: 1,
    name: "regression",
    html_url: `${origin}/${repository}${path}`,
    body: body.data.body,
    state: "open",
    user: { login: "github-actions[bot]" },
  }, { status: 201 });
}

/** What github-action-benchmark asks of a commit. */
function commitOf(sha: string, origin: string): unknown {
  const person = { name: "A", email: "a@example.org", date: new Date().toISOString() };
  return {
    sha,
    html_url: `${origin}/${repository}/commit/${sha}`,
    commit: { author: person, committer: person, message: "A commit", tree: { sha } },
    author: { login: "a" },
    committer: { login: "a" },
  };
}

/** Passes a request on to git's own program for HTTP, which is a CGI. */
async function serveGit(bare: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const compressed = request.headers.get("content-encoding");
  const child = new Deno.Command("git", {
    args: ["http-backend"],
    env: {
      GIT_PROJECT_ROOT: bare,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname.replace(`/${repository}`, "").replace(/^\.git/, ""),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers.get("content-type") ?? "",
      GIT_PROTOCOL: request.headers.get("git-protocol") ?? "",
      ...(compressed === null ? {} : { HTTP_CONTENT_ENCODING: compressed }),
      REMOTE_USER: "rehearsal",
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const sent = new Uint8Array(await request.arrayBuffer());
  const output = child.output();
  const writer = child.stdin.getWriter();
  await writer.write(sent).then(() => writer.close()).catch(() => {});
  const { stdout } = await output;
  const end = headerEnd(stdout);
  const headers = new Headers();
  let status = 200;
  for (const line of new TextDecoder().decode(stdout.subarray(0, end)).split("\r\n")) {
    const [name = "", value = ""] = line.split(/: (.*)/);
    if (name.toLowerCase() === "status") status = parseInt(value, 10);
    else if (name !== "") headers.append(name, value);
  }
  return new Response(stdout.subarray(end + 4), { status, headers });
}

function headerEnd(bytes: Uint8Array): number {
  for (let at = 0; at + 3 < bytes.length; at++) {
    if (bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13) return at;
  }
  throw new BenchError("Cannot read what git http-backend printed: it has no end of its header");
}

/**
 * Artifacts as GitHub keeps them for a workflow's run, over the protocol of actions/upload-artifact from version 4 on:
 * calls of a service in JSON, and a blob for each artifact. A name is taken once, unless what has it is deleted first.
 */
import { z } from "zod";
import { sumOf } from "../../lib/sum.ts";

const service = "/twirp/github.actions.results.api.v1.ArtifactService/";
const blobs = "/blobs/";

interface Artifact {
  id: number;
  name: string;
  blocks: Map<string, Uint8Array>;
  zip: Uint8Array;
  isComplete: boolean;
  hash?: string;
}

const callSchema = z.looseObject({
  name: z.string().optional(),
  name_filter: z.string().optional(),
  id_filter: z.string().optional(),
  hash: z.string().optional(),
});

/** The artifacts of one run. */
export interface Artifacts {
  /** Answers a request of an action; undefined where it is about something else. */
  answer(request: Request): Promise<Response | undefined>;
  /** Returns those that are complete. */
  list(): { id: number; name: string; bytes: Uint8Array }[];
}

/** Creates a store without artifacts. */
export function createArtifacts(): Artifacts {
  const all = new Map<string, Artifact>();
  let lastId = 0;
  const complete = () => [...all.values()].filter(({ isComplete }) => isComplete);

  const call = (method: string, request: z.infer<typeof callSchema>, origin: string) => {
    const { name = "" } = request;
    const url = `${origin}${blobs}${encodeURIComponent(name)}`;
    if (method === "CreateArtifact") {
      if (all.has(name)) return refuse(409, "an artifact with this name already exists");
      all.set(name, {
        ...{ id: ++lastId, name, blocks: new Map(), zip: new Uint8Array(), isComplete: false },
      });
      return Response.json({ ok: true, signed_upload_url: url });
    }
    if (method === "ListArtifacts") {
      const { name_filter: wantedName, id_filter: wantedId } = request;
      const found = complete().filter((it) =>
        (wantedName === undefined || it.name === wantedName) &&
        (wantedId === undefined || String(it.id) === wantedId)
      );
      return Response.json({ artifacts: found.map(describe) });
    }
    const artifact = all.get(name);
    if (artifact === undefined) return refuse(404, `there is no artifact ${name}`);
    if (method === "FinalizeArtifact") {
      Object.assign(artifact, { isComplete: true, hash: request.hash });
      return Response.json({ ok: true, artifact_id: String(artifact.id) });
    }
    if (method === "GetSignedArtifactURL") return Response.json({ signed_url: url });
    if (method === "DeleteArtifact") {
      all.delete(name);
      return Response.json({ ok: true, artifact_id: String(artifact.id) });
    }
    return refuse(404, `there is no method ${method}`);
  };

  return {
    list: () => complete().map(({ id, name, zip }) => ({ id, name, bytes: zip })),
    answer: async (request) => {
      const { pathname, searchParams, origin } = new URL(request.url);
      if (pathname.startsWith(service)) {
        const body = callSchema.safeParse(await request.json().catch(() => undefined));
        if (!body.success) return refuse(400, "the body is no JSON");
        return call(pathname.slice(service.length), body.data, origin);
      }
      if (!pathname.startsWith(blobs)) return undefined;
      const artifact = all.get(decodeURIComponent(pathname.slice(blobs.length)));
      if (artifact === undefined) return refuse(404, "there is no such blob");
      if (request.method !== "PUT") return sendZip(artifact.zip);
      const bytes = new Uint8Array(await request.arrayBuffer());
      putBlob(artifact, bytes, searchParams);
      return new Response(null, { status: 201, headers: { etag: '"1"' } });
    },
  };
}

/** Answers with an artifact's archive. */
function sendZip(zip: Uint8Array): Response {
  return new Response(new Uint8Array(zip), { headers: { "content-type": "application/zip" } });
}

/** Takes a whole blob, one of its blocks, or the list that puts blocks in order. */
function putBlob(artifact: Artifact, bytes: Uint8Array, query: URLSearchParams): void {
  if (query.get("comp") === "block") {
    artifact.blocks.set(query.get("blockid")!, bytes);
  } else if (query.get("comp") === "blocklist") {
    const ids = new TextDecoder().decode(bytes).matchAll(/<(?:Latest|Uncommitted)>([^<]+)</g);
    const blocks = [...ids].map(([, id]) => artifact.blocks.get(id!)!);
    artifact.zip = new Uint8Array(sumOf(blocks, ({ length }) => length));
    let at = 0;
    for (const block of blocks) {
      artifact.zip.set(block, at);
      at += block.length;
    }
  } else artifact.zip = bytes;
}

function describe({ id, name, zip, hash }: Artifact): unknown {
  return {
    workflow_run_backend_id: "1",
    workflow_job_run_backend_id: "1",
    database_id: String(id),
    name,
    size: String(zip.length),
    ...(hash === undefined ? {} : { digest: hash }),
  };
}

function refuse(status: number, msg: string): Response {
  return Response.json({ code: status === 409 ? "already_exists" : "not_found", msg }, { status });
}

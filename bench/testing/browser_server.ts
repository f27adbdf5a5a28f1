import { contentType } from "@std/media-types";
import { extname, join } from "@std/path";

/** A folder that is served, until it is disposed of. */
export interface Served extends AsyncDisposable {
  origin: string;
}

/**
 * Serves a built site on 127.0.0.1, on a port that the kernel picks, below a base path such as `/backbench/`,
 * in the way of a static host: a folder is its `index.html`, and what is missing is `404.html` with status 404.
 */
export function serveSite(folder: string, basePath: string): Served {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async ({ url }) => {
      const path = new URL(url).pathname;
      const file = path.startsWith(basePath)
        ? path.slice(basePath.length).replace(/(^|\/)$/, "$1index.html")
        : undefined;
      const body = file === undefined ? undefined : await read(join(folder, file));
      if (file !== undefined && body !== undefined) {
        return new Response(body, { headers: headersOf(file) });
      }
      const missing = await read(join(folder, "404.html"));
      return new Response(missing, { status: 404, headers: headersOf("404.html") });
    },
  );
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function headersOf(file: string): HeadersInit {
  return { "content-type": contentType(extname(file)) ?? "application/octet-stream" };
}

async function read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.IsADirectory) {
      return undefined;
    }
    throw error;
  }
}

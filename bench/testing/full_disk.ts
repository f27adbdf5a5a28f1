/** A disk without room, for tests: a file system of our own, in name spaces of our own, which needs no root. */
import { fromFileUrl } from "@std/path";

/**
 * Runs TypeScript in a process that finds in `folder` a file system of 1 MiB with a copy of what is there, and no
 * room left.
 */
export async function onFullDisk(folder: string, source: string): Promise<{ stdout: string }> {
  const script = `
    copy=$(mktemp -d) && cp -a "$1/." "$copy" || exit 98
    mount -t tmpfs -o size=1m backbench "$1" || exit 99
    cp -a "$copy/." "$1" && rm -r "$copy"
    cat /dev/zero > "$1/.filler" 2>/dev/null
    exec "$2" eval --quiet --config "$3" --ext=ts "$4"
  `;
  const { code, stdout, stderr } = await new Deno.Command("unshare", {
    args: [
      ...[Deno.uid() === 0 ? "-m" : "-rm", "sh", "-c", script, "sh", folder, Deno.execPath()],
      ...[fromFileUrl(new URL("../../deno.json", import.meta.url)), source],
    ],
  }).output();
  if (code === 0) return { stdout: new TextDecoder().decode(stdout) };
  throw new Error(`It ended with exit code ${code}: ${new TextDecoder().decode(stderr)}`);
}

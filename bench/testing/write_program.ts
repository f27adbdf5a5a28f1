/**
 * Writes a program that will be run by its path: whatever text, executable. It is written by another process, because what
 * a process starts has for a moment all files that are open in it, for another test, too; and a file that is open for
 * writing cannot be run ("Text file busy").
 *
 * @throws {Error} with what the shell says, when it cannot be written.
 */
export async function writeProgram(path: string, text: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("/bin/sh", {
    args: ["-c", 'printf %s "$2" >"$1" && chmod 755 "$1"', "sh", path, text],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

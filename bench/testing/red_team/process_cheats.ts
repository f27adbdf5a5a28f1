/** Ways to cheat that reach for other processes; answers and statements are those of an honest server. */
import { spawn } from "node:child_process";
import { connect, type Socket } from "node:net";
import process from "node:process";
import type { Parts } from "./server.ts";

const requests = "GET / HTTP/1.1\r\nhost: rival\r\n\r\n".repeat(20);

/** Each way to cheat: what it puts in the place of parts of an honest server. */
export const processCheats: Record<string, (honest: Parts) => Partial<Parts>> = {
  /** What it is compared with may use one processor only, and so may the load generator that asks the other. */
  "pins-rival": () => ({
    begin: () => forEachChild(`isMine || taskset -apc "$first" "$pid"`),
  }),

  /** Its own load generator gives way to it. */
  "lowers-generator": () => ({
    begin: () => forEachChild(`! isMine || renice -n 10 -p $(ls "/proc/$pid/task")`),
  }),

  /** What it is compared with finds requests without a token in its sockets, in its own turn; they need no statement. */
  "floods-rival": () => {
    // As few as a load may open beyond its own.
    const sockets: Socket[] = [];
    const connectTo = (port: string) =>
      sockets.push(connect(Number(port), process.env.HOST).on("error", () => {}).resume());
    return {
      begin: () =>
        forEachChild(
          `isMine || tr '\\0' '\\n' < "/proc/$pid/environ" | sed -n 's/^PORT=//p'`,
          (text) => text.trim().split("\n").forEach(connectTo),
        ),
      arrive() {
        for (const socket of sockets) {
          if (socket.writableLength === 0) socket.write(requests);
        }
      },
    };
  },
};

/**
 * Runs a shell script for each server and load generator that the harness has started, its own server excepted, as they
 * come; where tests run side by side in one harness, only for those of its own test. It uses hardly any CPU time, because
 * the shell itself reads the kernel's files. What it prints is handed on.
 */
function forEachChild(script: string, onPrinted?: (text: string) => void): Promise<void> {
  const args = ["-c", watch, "sh", script, `${process.ppid}`, process.env.PORT ?? ""];
  const { stdout } = spawn("sh", args, { stdio: ["ignore", "pipe", "ignore"] });
  stdout.on("data", (bytes) => onPrinted?.(`${bytes}`));
  return Promise.resolve();
}

/** A shell script; its arguments are another one, the id of the launcher above this process, and the port. */
const watch = `
  script=$1 launcher=$2 port=$3 known=" $2 "
  first=$(taskset -pc "$$" | sed 's/.*: //; s/[-,].*//')
  isMine() { grep -qs ":$port" "/proc/$pid/cmdline"; }
  read -r stat < "/proc/$launcher/stat"
  set -- \${stat##*) }
  harness=$2
  # Other threads of the harness may run other tests: only what the launcher's own thread has started is meant.
  for thread in /proc/"$harness"/task/*/children; do
    # The kernel ends these files without a line break, which read takes for a failure.
    read -r children < "$thread"
    case " $children " in *" $launcher "*) break ;; esac
  done
  while sleep 0.05; do
    read -r children < "$thread"
    for child in $children; do
      case $known in *" $child "*) continue ;; esac
      pid=$child
      read -r name < "/proc/$child/comm"
      case $name in
        launcher) read -r pid < "/proc/$child/task/$child/children"; [ "$pid" ] || continue ;;
        oha) ;;
        # One that has not yet become what it is to be.
        *) continue ;;
      esac
      eval "$script"
      known="$known$child "
    done
  done 2> /dev/null
`;

/** Ways to cheat that change what the kernel grants other processes; answers and statements are those of an honest server. */
import { spawn } from "node:child_process";
import process from "node:process";
import type { Parts } from "./server.ts";

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
};

/**
 * Runs a shell script for each server and load generator that the harness has started, its own server excepted, as they
 * come; where tests run side by side in one harness, only for those of its own test. It uses hardly any CPU time, because
 * the shell itself reads the kernel's files.
 */
function forEachChild(script: string): Promise<void> {
  const args = ["-c", watch, "sh", script, `${process.ppid}`, process.env.PORT ?? ""];
  spawn("sh", args, { stdio: "ignore" });
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

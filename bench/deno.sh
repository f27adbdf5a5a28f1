#!/bin/sh
# Runs Deno, which runs the harness. Deno comes from npm, pinned, into the per-user cache folder,
# the first time it is needed; "exec" leaves no process between the terminal and the harness.
set -eu

version=2.9.6
cache=${BACKBENCH_CACHE:-${XDG_CACHE_HOME:-${HOME:?is not set, expected it or BACKBENCH_CACHE}/.cache}/backbench}
home=$cache/deno-$version
deno=$home/node_modules/.bin/deno

if [ ! -x "$deno" ]; then
  echo "Fetching Deno $version into $home" >&2
  command -v npm >/dev/null || {
    echo "Cannot fetch Deno $version: npm is not on PATH, expected Node.js with npm" >&2
    exit 1
  }
  mkdir -p "$cache"
  # What is there without the program is of no use, and mv would put the new folder inside it.
  rm -rf "$home"
  # A folder of our own, renamed at the end: an interrupted fetch leaves nothing that looks complete. Its name ends with
  # the id of the process; what processes that were killed left is removed.
  for left in "$cache"/deno-staging.*; do
    kill -0 "${left##*.}" 2>/dev/null || rm -rf "$left"
  done
  staging=$cache/deno-staging.$$
  rm -rf "$staging"
  mkdir -m 700 "$staging"
  trap 'rm -rf "$staging"' EXIT
  trap 'exit 130' INT TERM
  npm install --loglevel=error --no-audit --no-fund --prefix "$staging" "deno@$version" >/dev/null || {
    echo "Cannot fetch Deno $version: npm failed, expected it to reach its registry" >&2
    exit 1
  }
  # Another process may have been first; its folder holds the same.
  [ -x "$deno" ] || mv "$staging" "$home"
  rm -rf "$staging"
  trap - EXIT INT TERM
fi

# Every connection of the load generator and of a server is an open file: levels of 2,000 connections, and bursts, need
# more than the usual soft limit of 1,024, and only a shell can raise it for all that the harness starts.
hard=$(ulimit -Hn)
if [ "$hard" = unlimited ] || [ "$hard" -gt 65536 ]; then hard=65536; fi
# macOS says "unlimited" and may refuse more than OPEN_MAX, 10,240.
ulimit -Sn "$hard" 2>/dev/null || ulimit -Sn 10240 2>/dev/null || true

# What is asked of servers on this machine goes to no proxy.
direct=${no_proxy:-${NO_PROXY:-}}
direct=127.0.0.1,localhost${direct:+,$direct}
export no_proxy="$direct" NO_PROXY="$direct"

# Deno's module cache and all its versions stay in the same folder as the other tools.
DENO_DIR=${DENO_DIR:-$cache/deno-dir} DENO_NO_UPDATE_CHECK=1 exec "$deno" "$@"

import { dirname } from "@std/path";
import { z } from "zod";
import { ask, type Ecosystem, warmUpFactorOfV8 } from "../ecosystem.ts";

const packagesSchema = z.record(z.string(), z.unknown()).default({});
const lockSchema = z.object({ npm: packagesSchema, jsr: packagesSchema });

const askDeno = ask([Deno.execPath(), "--version"], /^deno (\d+\.\d+\.\d+)/);

export const ecosystem: Ecosystem = {
  warmUpFactor: warmUpFactorOfV8,
  // One for each processor, and each has its own V8: https://docs.deno.com/examples/http_server_parallel/.
  threadsToWarm: (start) =>
    /\bdeno serve\b.* --parallel\b/.test(start.join(" ")) ? navigator.hardwareConcurrency : 1,
  // The implementation gets the pinned Deno that the harness runs on.
  find: async (range, surroundings) => ({
    ...await askDeno(range, surroundings),
    path: [dirname(Deno.execPath())],
  }),
  isBuiltIn: (name) => name === "fetch" || /^(?:Deno\.|node:)\w/.test(name),
  install: "Deno comes with the harness: change the version in bench/deno.sh",
  keptForBuild: ["DENO_DIR", "DENO_CERT", "DENO_TLS_CA_STORE", "NODE_EXTRA_CA_CERTS"],
  keptForStart: ["DENO_DIR"],
  lockFile: {
    name: "deno.lock",
    // Keys read `@koa/router@15.7.0_koa@3.3.0`: name, version, and what it was resolved against.
    read: (text) => {
      const { npm, jsr } = lockSchema.parse(JSON.parse(text));
      return new Map(
        Object.keys({ ...npm, ...jsr }).flatMap((key) => {
          const match = /^(@?[^@]+)@([^_]+)/.exec(key);
          return match === null ? [] : [[match[1]!, match[2]!] as const];
        }),
      );
    },
  },
  checks: [["deno", "fmt", "--check"], ["deno", "lint"], ["deno", "check", "."]],
  repairs: [["deno", "fmt"], ["deno", "lint", "--fix"]],
};

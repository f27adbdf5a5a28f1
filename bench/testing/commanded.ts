import type { Startable } from "../impl/start.ts";
import { noToolchain } from "../impl/toolchains.ts";

/** Returns what starts with a command of the test's own. */
export function commanded(start: string[]): Startable {
  const facts = {
    name: "",
    language: "",
    runtime: "",
    framework: "",
    driver: "",
    jwt: "",
    client: "",
  };
  const manifest = { ...facts, website: "", build: [], start, requires: {}, scenarios: [] };
  return {
    impl: {
      id: "commanded",
      folder: ".",
      manifest: { ...manifest, class: "standard" },
      needs: [],
    },
    toolchain: noToolchain,
  };
}

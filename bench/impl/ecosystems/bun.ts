/** Bun, as the package `bun` of npm. */
import type { Ecosystem } from "../ecosystem.ts";
import { npmRuntime } from "./node.ts";

export const ecosystem: Ecosystem = {
  ...npmRuntime("bun"),
  // Of JavaScriptCore, as JITWorklistThread::name() calls them on Linux. Its collector's are "HeapHelper".
  compilerThreads: /^JITWorker$/,
};

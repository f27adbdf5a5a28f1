/** Bun, as the package `bun` of npm. */
import type { Ecosystem } from "../ecosystem.ts";
import { isOfNode, npmRuntime } from "./node.ts";

export const ecosystem: Ecosystem = {
  ...npmRuntime("bun"),
  isBuiltIn: (name) => isOfNode(name) || /^(?:Bun\.|bun:)\w/.test(name),
  // Of JavaScriptCore, as JITWorklistThread::name() calls them on Linux. Its collector's are "HeapHelper".
  compilerThreads: /^JITWorker$/,
  secondsToQuiet: 10,
};

import { assertEquals } from "@std/assert";
import { ecosystem } from "./bun.ts";

Deno.test("Bun's compiler threads are known by their name, and none of its others", () => {
  // As /proc/<pid>/task/*/comm has them.
  const names = ["bun", "Bun Pool 0", "HeapHelper", "JITWorker", "JSCWarmUp", "mi-scavenger"]
    // The ends of longer ones: of the garbage collector, and of the compiler of WebAssembly.
    .concat("ollector Thread", "t Helper Thread");
  assertEquals(names.filter((name) => ecosystem.compilerThreads?.test(name)), ["JITWorker"]);
});

Deno.test("Bun's own are what it has by that name, modules of its own and of Node.js's, and fetch", () => {
  const names = ["fetch", "Bun.serve", "Bun.SQL", "bun:sqlite", "node:http"];
  const packages = ["koa", "bun", "bun-types", "Bun."];
  assertEquals([...names, ...packages].filter((name) => ecosystem.isBuiltIn!(name)), names);
});

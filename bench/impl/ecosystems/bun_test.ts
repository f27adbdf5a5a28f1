import { assertEquals } from "@std/assert";
import { ecosystem } from "./bun.ts";

Deno.test("Bun's compiler threads are known by their name, and none of its others", () => {
  // As /proc/<pid>/task/*/comm has them.
  const names = ["bun", "Bun Pool 0", "HeapHelper", "JITWorker", "JSCWarmUp", "mi-scavenger"]
    // The ends of longer ones: of the garbage collector, and of the compiler of WebAssembly.
    .concat("ollector Thread", "t Helper Thread");
  assertEquals(names.filter((name) => ecosystem.compilerThreads?.test(name)), ["JITWorker"]);
});

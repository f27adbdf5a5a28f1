import { assertEquals } from "@std/assert";
import { ecosystem } from "./deno.ts";

Deno.test("deno.lock has packages of npm and JSR by their names, without what each was resolved against", () => {
  const text = JSON.stringify({
    version: "5",
    specifiers: { "jsr:@oak/oak@17": "17.1.6", "npm:koa@3": "3.3.0" },
    jsr: { "@oak/oak@17.1.6": {} },
    npm: {
      "koa@3.3.0": {},
      "@koa/router@15.7.0_koa@3.3.0": {},
      "debug@4.4.3_supports-color@8.1.1": {},
    },
  });
  assertEquals(Object.fromEntries(ecosystem.lockFile!.read(text)), {
    koa: "3.3.0",
    "@koa/router": "15.7.0",
    debug: "4.4.3",
    "@oak/oak": "17.1.6",
  });
});

Deno.test("Deno's own are what it has by that name, modules of Node.js's, and fetch", () => {
  const names = ["fetch", "Deno.serve", "node:http", "koa", "@deno/kv", "Deno.", "node-fetch"];
  assertEquals(names.filter((name) => ecosystem.isBuiltIn!(name)), [
    "fetch",
    "Deno.serve",
    "node:http",
  ]);
});

Deno.test("deno serve --parallel has as many threads to warm up as there are processors, and other commands one", () => {
  const threads = (...start: string[]) => ecosystem.threadsToWarm!(start);
  const all = navigator.hardwareConcurrency;
  assertEquals(threads("deno", "serve", "--parallel", "main.ts"), all);
  assertEquals(threads("sh", "-c", "exec deno serve --parallel --port $PORT main.ts"), all);
  assertEquals(threads("deno", "serve", "main.ts"), 1);
  assertEquals(threads("deno", "run", "main.ts", "--parallel"), 1);
});

import { assertEquals, assertThrows } from "@std/assert";
import type { Impl } from "../impl/impl.ts";
import { noToolchain } from "../impl/toolchains.ts";
import { BenchError } from "../lib/error.ts";
import type { Reason } from "../measure/limits.ts";
import { commanded } from "./commanded.ts";
import { buildStepOf, isOnlyLate, oneOfEachLanguage } from "./tested_impl.ts";

function implOf(id: string, requires: string, scenarios: string[]): Impl {
  const { impl } = commanded(["true"]);
  const toolchains = requires.split(" ").map((name) => [name, "*"]);
  return {
    ...impl,
    id,
    manifest: { ...impl.manifest, scenarios, requires: Object.fromEntries(toolchains) },
  };
}

Deno.test("oneOfEachLanguage() takes, for each set of toolchains, the first with most scenarios of those in jwt-mysql", () => {
  const impls = [
    implOf("deno", "deno", ["jwt-mysql", "hello"]),
    implOf("deno-fresh", "deno", ["hello", "delay", "notify"]),
    implOf("deno-oak", "deno", ["hello", "jwt-mysql"]),
    implOf("ktor", "maven java", ["jwt-mysql"]),
    implOf("vertx", "java maven", ["jwt-mysql", "hello"]),
  ];
  assertEquals(oneOfEachLanguage(impls).map(({ id }) => id), ["deno", "vertx"]);
});

Deno.test("oneOfEachLanguage() says so when no implementation of a language can be tested", () => {
  assertThrows(
    () => oneOfEachLanguage([implOf("phoenix", "elixir", ["hello"])]),
    Error,
    "Cannot test elixir: phoenix lists no jwt-mysql, expected the first implementation that requires these toolchains to",
  );
});

Deno.test("buildStepOf() leaves out what lacks its toolchain, and says so; on GitHub, nothing", () => {
  const { impl } = commanded(["true"]);
  const lacking = new BenchError("Cannot use toolchain");
  const name = "commanded builds what it starts";
  assertEquals(buildStepOf(impl, noToolchain, undefined), { name, ignore: false });
  assertEquals(buildStepOf(impl, lacking, undefined), {
    name: `${name}: not tested. Cannot use toolchain`,
    ignore: true,
  });
  assertEquals(buildStepOf(impl, lacking, "true"), { name, ignore: false });
});

Deno.test("isOnlyLate() is true of late answers beside a disturbed machine, and of nothing else", () => {
  const of = (...codes: Reason["code"][]) =>
    isOnlyLate({
      validity: { valid: false, reasons: codes.map((code) => ({ code, message: `${code}!` })) },
    });
  assertEquals(isOnlyLate({ validity: { valid: true } }), false);
  assertEquals([of("latency-gap", "foreign-load"), of("steal", "silence")], [true, true]);
  assertEquals([of("latency-gap"), of("silence"), of("foreign-load")], [false, false, false]);
  assertEquals(of("wrong-answer", "latency-gap", "foreign-load"), false);
});

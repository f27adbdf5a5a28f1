import { assertEquals } from "@std/assert";
import { ownParts, sharedParts, versionChanges, versionsOf } from "./versions.ts";
import { exampleResult } from "../testing/example_result.ts";

const before = versionsOf(exampleResult());

Deno.test("versionChanges() names what changed of the parts that are asked for", () => {
  const now = {
    ...before,
    driver: { name: "other", version: "2.0.0" },
    kernel: { name: "kernel", version: "99" },
  };
  assertEquals(versionChanges(before, before, ownParts), []);
  assertEquals(versionChanges(before, now, ownParts).map(({ what, now }) => [what, now]), [
    ["driver", "other 2.0.0"],
  ]);
  assertEquals(versionChanges(before, now, sharedParts).map(({ what }) => what), ["kernel"]);
});

Deno.test("versionChanges() is silent on a version that could not be read, and on a part that one lacks", () => {
  const unread = { ...before, runtime: { name: before.runtime!.name }, jwt: undefined };
  assertEquals(versionChanges(before, unread, ownParts), []);
  assertEquals(versionChanges(unread, before, ownParts), []);
  const other = { ...before, runtime: { name: "another" } };
  assertEquals(versionChanges(before, other, ownParts).map(({ now }) => now), ["another"]);
});

Deno.test("versionChanges() names other sources, where both results name theirs", () => {
  const withSources = (sourcesSha256?: string) => {
    const { provenance, ...rest } = exampleResult();
    return versionsOf({ ...rest, provenance: { ...provenance, sourcesSha256 } });
  };
  const [first, second] = ["a", "b"].map((digit) => withSources(digit.repeat(64)));
  assertEquals(versionChanges(first!, second!, ownParts), [
    { what: "sources", before: "sources aaaaaaaaaa", now: "sources bbbbbbbbbb" },
  ]);
  assertEquals(versionChanges(first!, first!, ownParts), []);
  assertEquals(versionChanges(withSources(), second!, ownParts), []);

  const { provenance, ...rest } = exampleResult();
  const uncommitted = ["1", "2"].map((runId) =>
    versionsOf({ ...rest, runId, provenance: { ...provenance, dirty: true } })
  );
  assertEquals(versionChanges(uncommitted[0]!, uncommitted[1]!, ownParts).map(({ now }) => now), [
    "sources uncommitted in 2",
  ]);
});

Deno.test("versionChanges() names another command, which impl.toml says", () => {
  const { provenance, ...rest } = exampleResult();
  const other = versionsOf({ ...rest, provenance: { ...provenance, start: ["true", "--fast"] } });
  assertEquals(versionChanges(before, other, ownParts), [
    {
      what: "commands",
      before: "commands true, then true",
      now: "commands true, then true --fast",
    },
  ]);
});

Deno.test("versionsOf() has no part that the scenario does not need", () => {
  const { impl: { driver: _, jwt: __, ...impl }, database: ___, ...result } = exampleResult();
  const versions = versionsOf({ ...result, impl });
  assertEquals([versions.driver, versions.jwt, versions.database], [
    undefined,
    undefined,
    undefined,
  ]);
});

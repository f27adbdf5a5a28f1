import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { repositoryRoot } from "../lib/repository_root.ts";
import { temporaryFolder } from "./temporary_folder.ts";
import { writeProgram } from "./write_program.ts";

/** What a program of the test's own says and does, by its second argument; the third is a group of tests. */
interface Recipes {
  setup: string;
  check: string;
  test: string;
}

/** Returns a line of shell that waits until a program of the test's own has said so; for half a minute at most. */
const waitFor = (said: string) =>
  `for _ in $(seq 300); do grep --quiet "${said}" said && break; sleep 0.1; done`;

/** Waits until the setup has ended, not only said so; for half a minute at most. */
const untilSetUp =
  'for _ in $(seq 300); do [ -s setup-id ] && ! kill -0 "$(cat setup-id)" 2>/dev/null && break; sleep 0.1; done';

/** Runs `.ci/run` where npx and all else are programs of the test's own; returns what it printed and in which order it went. */
async function ciRun({ setup, check, test }: Recipes) {
  await using folder = await temporaryFolder();
  const add = async (path: string, text: string) => {
    await Deno.mkdir(join(folder.path, dirname(path)), { recursive: true });
    await writeProgram(join(folder.path, path), text);
  };
  await add(".ci/run", await Deno.readTextFile(join(repositoryRoot, ".ci", "run")));
  await add("bench/deno.sh", "#!/bin/sh\n");
  await add("bin/cargo", "#!/bin/sh\n");
  const cases = Object.entries({ setup: `echo $$ >setup-id; ${setup}`, check, test }).map((
    [name, line],
  ) => `${name}) ${line} ;;`);
  const npx = ["#!/bin/sh", "echo begin $2 $3 >>said", `case $2 in ${cases.join(" ")} esac`];
  await add("bin/npx", `${npx.join("\n")}\n`);
  const { code, stdout } = await new Deno.Command(join(folder.path, ".ci", "run"), {
    env: { PATH: `${join(folder.path, "bin")}:/usr/bin:/bin`, BACKBENCH_CHROMIUM: "/bin/sh" },
  }).output();
  const said = (await Deno.readTextFile(join(folder.path, "said"))).trim().split("\n");
  return { code, text: new TextDecoder().decode(stdout).trimEnd(), said };
}

Deno.test(".ci/run sets up beside the checks, and tests when both are done", async () => {
  const { code, text, said } = await ciRun({
    setup: `${waitFor("begin check")}; echo end setup >>said`,
    check: `${waitFor("end setup")}; ${untilSetUp}`,
    test: 'echo "12 passed, 0 failed"',
  });
  assertEquals([code, said[0], said.at(-1)], [0, "begin --version", "begin test"]);
  const at = (line: string) => said.indexOf(line);
  assert(at("begin check") >= 0 && at("begin check") < at("end setup"), said.join("\n"));
  assertEquals(text.split("\n").at(-1), "13 passed, 0 failed");
});

Deno.test(".ci/run tests what needs no tools while they are built, and adds up all groups", async () => {
  const { code, text, said } = await ciRun({
    setup: `${waitFor("begin test site")}; echo end setup >>said`,
    check: waitFor("begin setup"),
    test: 'echo "$3: 12 passed, 0 failed"; echo "12 passed, 0 failed"',
  });
  assertEquals([code, text.split("\n").at(-1)], [0, "49 passed, 0 failed"]);
  // The setup begins beside all of them.
  assertEquals(said.filter((line) => /^begin test|^end/.test(line)), [
    ...["begin test unit", "begin test site", "end setup"],
    ...["begin test server", "begin test measure"],
  ]);
});

Deno.test(".ci/run fails where checks and the setup fail, and shows why", async () => {
  const { code, text } = await ciRun({
    setup: "echo no compiler; exit 1",
    check: `${untilSetUp}; echo no format; exit 1`,
    test: 'echo "12 passed, 0 failed"',
  });
  assertEquals([code, text.split("\n").at(-1)], [1, "12 passed, 2 failed"]);
  assertStringIncludes(text, "\nno compiler\n");
  assertStringIncludes(text, "just check failed:\nno format\n");
});

Deno.test(".ci/run fails where only the setup fails", async () => {
  const { code, text } = await ciRun({
    setup: "exit 1",
    check: untilSetUp,
    test: 'echo "12 passed, 0 failed"',
  });
  assertEquals([code, text.split("\n").at(-1)], [1, "13 passed, 1 failed"]);
});

Deno.test(".ci/run fails where tests break off before they are counted", async () => {
  const { code, text } = await ciRun({
    setup: ":",
    check: untilSetUp,
    test: "exit 1",
  });
  assertEquals([code, text.split("\n").at(-1)], [1, "1 passed, 1 failed"]);
});

import { assert, assertEquals } from "@std/assert";
import { basename, join } from "@std/path";
import { ecosystemNames, loadEcosystem } from "../impl/ecosystems.ts";
import { gitPaths } from "../lib/git.ts";
import { repositoryRoot } from "../lib/repository_root.ts";

Deno.test("only command lines print: nothing else turns the rule about the console off", async () => {
  const { stdout } = await new Deno.Command("git", {
    args: [
      "grep",
      "--untracked",
      "--name-only",
      "-E",
      "deno-lint-ignore.*no-console",
      "--",
      "*.ts",
    ],
    cwd: repositoryRoot,
  }).output();
  const files = new TextDecoder().decode(stdout).trim().split("\n");
  const allowed = /^(?:bench\/(?:main\.ts$|cli\/|testing\/)|tokens\.gen\.ts$)/;
  assertEquals(files.filter((file) => !allowed.test(file)), []);
  assertEquals(files.includes("bench/main.ts"), true);
});

Deno.test("sums are taken by lib/sum.ts, and nowhere else", async () => {
  const { stdout } = await new Deno.Command("git", {
    args: ["grep", "--untracked", "-F", ".reduce(", "--", "*.ts"],
    cwd: repositoryRoot,
  }).output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n");
  const sums = lines.filter((line) => /\.reduce\(\((\w+), .*=> \1 \+/.test(line));
  assertEquals(sums.map((line) => line.split(":")[0]), ["bench/lib/sum.ts"]);
});

Deno.test("no source file has more than 300 lines, and bench/main.ts at most 80", async () => {
  const ecosystems = await Promise.all(ecosystemNames.map(loadEcosystem));
  const made = ecosystems.map(({ lockFile }) => lockFile?.name);
  // Of implementations all that git takes for text, whatever the language; `go.sum` has the checksums for the lock file.
  const patterns = ["impls", ...["ts", "js", "css", "html", "rs", "go"].map((it) => `*.${it}`)];
  const list = ["grep", "--files-with-matches", "-I", "-z", "-e", "", "--", ...patterns];
  const paths = (await gitPaths(repositoryRoot, ...list))
    .filter((path) => ![...made, "go.sum"].includes(basename(path)));
  assert(paths.length > 500, `only ${paths.length} files were found`);
  for (
    const path of ["impls/go/main.go", "impls/vertx/pom.xml", "bench/native/control/src/answer.rs"]
  ) {
    assert(paths.includes(path), `${path} is not among them`);
  }
  const tooLong: string[] = [];
  for (const path of paths) {
    const lines =
      (await Deno.readTextFile(join(repositoryRoot, path))).trimEnd().split("\n").length;
    if (lines > (path === "bench/main.ts" ? 80 : 300)) tooLong.push(`${path}: ${lines} lines`);
  }
  assertEquals(tooLong, []);
});

Deno.test("deno lint refuses to print, to eval and to loosen types", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  try {
    const path = join(folder, "bad.ts");
    const bad = 'console.log(eval("1") == 2);\nexport const any: any = 1;\n// TODO: later\n';
    await Deno.writeTextFile(path, bad);
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["lint", "--json", "--config", join(repositoryRoot, "deno.json"), path],
    }).output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    for (
      const rule of ["no-console", "no-eval", "eqeqeq", "no-explicit-any", "ban-untagged-todo"]
    ) {
      assertEquals(text.includes(`"code": "${rule}"`), true, `${rule} is off`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

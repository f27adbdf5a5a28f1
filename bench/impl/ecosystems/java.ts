/**
 * Java: a JDK. The `java` on PATH is often older than an implementation requires, although a newer one is installed,
 * so every place where systems keep JDKs is searched, and `JAVA_HOME` and `PATH` are set to the JDK found.
 */
import { dirname, join } from "@std/path";
import { parse, type Range, satisfies } from "@std/semver";
import { outputOf } from "../../lib/output_of.ts";
import type { Ecosystem, Found } from "../ecosystem.ts";

export const ecosystem: Ecosystem = {
  find: findJava,
  // The modules of a JDK, and packages of the standard ones (https://openjdk.org/jeps/200); those of Maven have a colon.
  isBuiltIn: (name) => /^(?:java|jdk)(?:\.[a-z]\w*)+$/.test(name),
  install: "Install a JDK of that version (https://adoptium.net, or the package of your system); " +
    "it is found by JAVA_HOME, on PATH, by SDKMAN and where systems put it",
  // Of HotSpot: "C1 CompilerThread0", "C2 CompilerThread1".
  compilerThreads: /^C[12] CompilerThre/,
  // 20 to 75, by implementation and day.
  secondsToQuiet: 45,
  // Spring Boot extracts a jar's libraries to `lib` beside it; what Quarkus packages is a folder with all of these:
  // https://quarkus.io/guides/packaging.
  deployedWith: (path) =>
    path.endsWith(".jar") ? ["app", "lib", "quarkus"].map((name) => join(dirname(path), name)) : [],
  // The lowest release of a range is the one that the implementation is written for.
  ciRelease: (range) => /^(?:>=|\^|~|=)?\s*(\d+)/.exec(range)?.[1],
};

/** A Java installation, as it reports itself. */
export interface JavaHome {
  home: string;
  /** Three numbers, even if the release has only one: `25.0.0`. */
  version: string;
  /** Whether it can compile too. */
  isJdk: boolean;
}

/** Where to look, in this order. */
export interface JavaPlaces {
  /** `JAVA_HOME`, then those of GitHub's runners (`JAVA_HOME_25_X64`), then `PATH`. */
  env: Record<string, string>;
  /** Folders with one installation each. */
  parents: string[];
  /** The macOS program that lists installations. */
  javaHomeTool: string;
}

async function findJava(range: Range): Promise<Found> {
  const { jdk, seen } = await findJdk(range, javaPlaces());
  if (jdk !== undefined) {
    const { home, version } = jdk;
    return { version, path: [join(home, "bin")], variables: { JAVA_HOME: home } };
  }
  if (seen.length === 0) return { version: undefined, whatIs: "it was not found" };
  const each = seen.map(({ home, version, isJdk }) =>
    `${version} in ${home}${isJdk ? "" : " (no compiler)"}`
  );
  return { version: undefined, whatIs: `there is ${each.join(", ")}` };
}

/** Returns the places on this machine. */
export function javaPlaces(): JavaPlaces {
  const env = Deno.env.toObject();
  return {
    env,
    parents: [
      "/usr/lib/jvm",
      "/opt",
      "/opt/java",
      "/Library/Java/JavaVirtualMachines",
      ...(env.HOME === undefined ? [] : [join(env.HOME, ".sdkman/candidates/java")]),
    ],
    javaHomeTool: "/usr/libexec/java_home",
  };
}

/** Finds the first JDK whose version is in `range`; `seen` has all installations checked until then. */
export async function findJdk(
  range: Range,
  places: JavaPlaces,
): Promise<{ jdk: JavaHome | undefined; seen: JavaHome[] }> {
  const seen = new Map<string, JavaHome>();
  const launchers = new Set<string>();
  for await (const java of javaLaunchers(places)) {
    const launcher = await realPath(java);
    if (launcher === undefined || launchers.has(launcher)) continue;
    launchers.add(launcher);
    const found = await inspectJava(java);
    if (found === undefined || seen.has(found.home)) continue;
    seen.set(found.home, found);
    if (found.isJdk && satisfies(parse(found.version), range)) {
      return { jdk: found, seen: [...seen.values()] };
    }
  }
  return { jdk: undefined, seen: [...seen.values()] };
}

async function* javaLaunchers({ env, parents, javaHomeTool }: JavaPlaces): AsyncGenerator<string> {
  const names = Object.keys(env).filter((name) => /^JAVA_HOME_\d+_(X64|ARM64)$/.test(name)).sort();
  for (const name of ["JAVA_HOME", ...names]) {
    if (env[name]) yield join(env[name], "bin/java");
  }
  for (const folder of (env.PATH ?? "").split(":")) {
    if (folder !== "") yield join(folder, "java");
  }
  for (const parent of parents) {
    for (const name of await listFolder(parent)) {
      yield join(parent, name, "bin/java");
      yield join(parent, name, "Contents/Home/bin/java");
    }
  }
  for (const home of await listJavaHomes(javaHomeTool)) yield join(home, "bin/java");
}

/** Asks a launcher where its JDK is, because the one on PATH may be a shim in another folder. */
async function inspectJava(java: string): Promise<JavaHome | undefined> {
  const text = await run(java, ["-XshowSettings:properties", "-version"]);
  const home = /^\s*java\.home = (.+)$/m.exec(text)?.[1];
  const version = /^\s*java\.version = (\d+)(?:\.(\d+))?(?:\.(\d+))?/m.exec(text);
  if (home === undefined || version === null) return undefined;
  return {
    home,
    version: version.slice(1).map((part) => part ?? "0").join("."),
    isJdk: await realPath(join(home, "bin/javac")) !== undefined,
  };
}

/** Reads lines such as `25.0.3 (arm64) "Eclipse Adoptium" - "OpenJDK 25" /Library/Java/…/Contents/Home`. */
async function listJavaHomes(tool: string): Promise<string[]> {
  const text = await run(tool, ["-V"]);
  return [...text.matchAll(/^\s+\d.*" (\/.+)$/gm)].map((match) => match[1]!);
}

/** Returns what a program writes to its error stream, or nothing when it cannot be run. */
async function run(program: string, args: string[]): Promise<string> {
  try {
    return (await outputOf([program, ...args])).stderr;
  } catch {
    return "";
  }
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
  } catch {
    return [];
  }
}

async function realPath(path: string): Promise<string | undefined> {
  try {
    return await Deno.realPath(path);
  } catch {
    return undefined;
  }
}

import { ask, type Ecosystem } from "../ecosystem.ts";

export const ecosystem: Ecosystem = {
  find: ask(["go", "version"], /^go version go(\d+\.\d+\.\d+)/),
  // Go's own rule: the first element of any other package's path has a dot.
  isBuiltIn: (name) => /^[^./]+(?:\/|$)/.test(name),
  install: "Install Go (https://go.dev/dl, or the package of your system); " +
    "from 1.21 on, `go env -w GOTOOLCHAIN=auto` lets it fetch the release that go.mod names",
  keptForBuild: ["GOPATH", "GOPROXY"],
  lockFile: {
    // Go builds only where go.mod names the version of every module that it needs; go.sum has their checksums.
    name: "go.mod",
    read: (text) =>
      new Map(
        [...text.matchAll(/^require (?:\(([^)]*)\)|(.+))$/gm)]
          .flatMap(([, block = "", line = ""]) => `${block}\n${line}`.split("\n"))
          .flatMap((line) => {
            const match = /^\s*(\S+) v(\S+)/.exec(line);
            return match === null ? [] : [[match[1]!, match[2]!] as const];
          }),
      ),
  },
  // gofmt names what it would change, and ends with 0.
  checks: [
    ["sh", "-c", 'files=$(gofmt -l .) || exit; echo "$files"; test -z "$files"'],
    ["go", "vet", "./..."],
  ],
  repairs: [["gofmt", "-w", "."]],
  ownNames: { "go.mod": (id) => new RegExp(`^(module .*\\b)${id}()$`, "gm") },
  dependabot: "gomod",
};

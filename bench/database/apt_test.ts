import { assertEquals } from "@std/assert";
import { chooseTarget, newestFirst } from "./apt.ts";

Deno.test("newestFirst() takes the distribution's current server, else the newest", () => {
  assertEquals(newestFirst(["mysql-server-core-8.4", "mysql-server-core"]), [
    "mysql-server-core",
    "mysql-server-core-8.4",
  ]);
  assertEquals(
    newestFirst(["mysql-server-core-8.0", "mysql-server-core-8.4", "mysql-server-core-8.0-dbgsym"]),
    ["mysql-server-core-8.4", "mysql-server-core-8.0"],
  );
  assertEquals(newestFirst([]), []);
});

const noble = { id: "ubuntu", codename: "noble" };
const microsoft = (origin: string) =>
  `Packages|main|noble|${origin}|https://packages.microsoft.com/ubuntu/24.04/prod/|` +
  "/usr/share/keyrings/microsoft-prod.gpg";
const ubuntu = (suite: string, origin: string, key = "") =>
  `Packages|main|${suite}|${origin}|mirror+file:/etc/apt/apt-mirrors.txt|${key}`;
const chosen = { mirror: "mirror+file:/etc/apt/apt-mirrors.txt", suite: "noble" };

Deno.test("chooseTarget() takes the distribution's own release, where others name theirs like it and come first", () => {
  // As GitHub's image has them.
  const known = [
    microsoft("microsoft-ubuntu-noble-prod noble"),
    ubuntu("noble-updates", "Ubuntu"),
    "DEP-11|main|noble|Ubuntu|http://other/|",
    ubuntu("noble", "Ubuntu"),
  ].join("\n");
  assertEquals(chooseTarget(known, noble), chosen);
});

Deno.test("chooseTarget() goes by the key, then by the suite, before any list was fetched", () => {
  const unknown = "$(ORIGIN)";
  const key = "/usr/share/keyrings/ubuntu-archive-keyring.gpg";
  const signed = [
    microsoft(unknown),
    ubuntu("noble-updates", unknown, key),
    ubuntu("noble", unknown, key),
  ];
  assertEquals(chooseTarget(signed.join("\n"), noble), chosen);
  assertEquals(chooseTarget(ubuntu("noble", unknown, "$(SIGNED_BY)"), noble), chosen);
});

Deno.test("chooseTarget() takes another suite of the distribution, but nothing of others", () => {
  const stable = "Packages|main|stable|Debian|http://deb.debian.org/debian/|";
  assertEquals(chooseTarget(stable, { id: "debian", codename: "bookworm" }), {
    mirror: "http://deb.debian.org/debian/",
    suite: "stable",
  });
  assertEquals(chooseTarget(microsoft("microsoft-ubuntu-noble-prod noble"), noble), undefined);
  assertEquals(chooseTarget("", noble), undefined);
});

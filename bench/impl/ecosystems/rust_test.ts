import { assertEquals } from "@std/assert";
import { ecosystem } from "./rust.ts";

Deno.test("Cargo.lock has crates by their names", () => {
  const text = `version = 4

[[package]]
name = "actix-web"
version = "4.12.1"
source = "registry+https://github.com/rust-lang/crates.io-index"
dependencies = ["mio"]

[[package]]
name = "backend"
version = "0.0.0"
`;
  assertEquals(Object.fromEntries(ecosystem.lockFile!.read(text)), {
    "actix-web": "4.12.1",
    backend: "0.0.0",
  });
});

Deno.test("each build of Rust keeps what it compiles in its own folder, past a person's flags", () => {
  assertEquals(ecosystem.setForBuild!("/impl"), {
    CARGO_ENCODED_RUSTFLAGS: "",
    CARGO_BUILD_BUILD_DIR: "/impl/target",
    CARGO_TARGET_DIR: "/impl/target",
  });
});

import { assertEquals } from "@std/assert";
import type { ListedImpl } from "../impl_groups.ts";
import { sideBySide } from "./side_by_side.ts";
import { axes } from "./throughput.ts";
import type { AnswerRow, AnswerView } from "./view.ts";

function viewOf(scenario: string, rows: Partial<AnswerRow>[], more: Partial<AnswerView> = {}) {
  const full = rows.map((row): AnswerRow => ({
    name: "",
    order: 0,
    runId: "",
    brackets: [],
    id: "",
    ...row,
  }));
  return {
    address: `answers/${scenario}/throughput/50/`,
    scenario,
    connections: 50,
    axis: axes.leader,
    groups: [{ rows: full }],
    ...more,
  } as AnswerView;
}

function implOf(id: string): ListedImpl {
  return { id, name: id.toUpperCase(), address: `impls/${id}/`, class: "standard" } as ListedImpl;
}

const jwt = viewOf("jwt-mysql", [
  { id: "go", relative: "100 %" },
  { id: "deno", relative: "31 %", interval: "29–33 %" },
  { id: "rust", missing: "the load generator limited it" },
]);
const hello = viewOf("hello", [{ id: "rust", relative: "100 %" }]);

Deno.test("sideBySide() has the share of each implementation in the view that each scenario shows first", () => {
  const elsewhere = viewOf("jwt-mysql", [{ id: "go", relative: "80 %" }], { connections: 10 });
  const { scenarios, impls } = sideBySide(
    [jwt, elsewhere, hello],
    ["deno", "go", "rust"].map(implOf),
  );
  assertEquals(scenarios, [
    {
      scenario: "jwt-mysql",
      connections: 50,
      address: "answers/jwt-mysql/throughput/50/",
    },
    {
      scenario: "hello",
      connections: 50,
      address: "answers/hello/throughput/50/",
    },
  ]);
  const leads = { relative: "100 %", interval: undefined };
  assertEquals(impls.map(({ name, shares }) => [name, ...shares]), [
    ["DENO", { relative: "31 %", interval: "29–33 %" }, {}],
    ["GO", leads, {}],
    ["RUST", { isUnknown: true }, leads],
  ]);
});

Deno.test("sideBySide() leaves out what is not related to the fastest, and implementations of no such run", () => {
  const cold = viewOf("insert", [{ id: "bun" }], { axis: axes.cold });
  const memory = viewOf("hello", [{ id: "bun" }], { axis: "peak memory", figure: "memory" });
  const { scenarios, impls } = sideBySide([hello, memory, cold], ["bun", "rust"].map(implOf));
  assertEquals(scenarios.map(({ scenario }) => scenario), ["hello"]);
  assertEquals(impls.map(({ address }) => address), ["impls/rust/"]);
});

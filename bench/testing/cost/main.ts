/** The command line of what only measures the harness: `just cost`, `just slices-cost`, `just site-cost`. */
import { main } from "../../main.ts";
import { addCost } from "./cost.ts";
import { addSiteCost } from "./site_cost.ts";
import { addSlicesCost } from "./slices_cost.ts";

Deno.exit(
  await main(Deno.args, {
    commands: { "Measure the harness:": [addCost, addSlicesCost, addSiteCost] },
  }),
);

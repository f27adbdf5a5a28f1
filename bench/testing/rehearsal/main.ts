/** The command line of the rehearsal: `just rehearse`. */
import { main } from "../../main.ts";
import { addRehearse } from "./rehearse.ts";

Deno.exit(await main(Deno.args, { commands: { "Rehearse:": [addRehearse] } }));

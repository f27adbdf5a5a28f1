/** The program: every command, in the order in which its help shows them. */
import { Command } from "commander";
import { addBench } from "./bench.ts";
import type { AddCommand, CommandContext } from "./command.ts";
import { addCheckImpls } from "./check_impls.ts";
import { addCompare } from "./compare.ts";
import { addDb, addSeed } from "./db.ts";
import { addDoctor } from "./doctor.ts";
import { addLintWorkflows } from "./lint_workflows.ts";
import { addList } from "./list.ts";
import { addNew } from "./new.ts";
import { addNoise } from "./noise.ts";
import { addPublish } from "./publish.ts";
import { addSchema } from "./schema.ts";
import { addSetup } from "./setup.ts";
import { addSite } from "./site.ts";
import { addVerify } from "./verify.ts";
import { addWorkflowCommands } from "./workflow_commands.ts";

const allCommands: Record<string, AddCommand[]> = {
  "Measure:": [addBench, addCompare, addNoise, addVerify, addList, addNew, addDb, addSeed],
  "Publish:": [addPublish, addSite],
  "Workflows:": [addWorkflowCommands, addLintWorkflows],
  "Maintain:": [addDoctor, addSetup, addCheckImpls, addSchema],
};

/** Returns the program with all its commands, or those of tests; usage errors are thrown as CommanderError. */
export function makeProgram(context: CommandContext, commands = allCommands): Command {
  const program = new Command("just")
    .description("Backbench measures web backends on realistic jobs.")
    .configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.report.line(text.trimEnd()),
    })
    .exitOverride().showHelpAfterError("Run it with --help for usage.");
  for (const [heading, adders] of Object.entries(commands)) {
    program.commandsGroup(heading);
    for (const add of adders) add(program, context);
  }
  return program;
}

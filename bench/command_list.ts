import Table from "cli-table3";
import { discoverImpl, listImplIds } from "./discover.ts";

/** Returns the implementations below `folder` as a table. */
export async function list(folder: string): Promise<string> {
  const table = new Table({
    head: ["implementation", "name", "class", "language", "framework", "driver", "JWT"],
    style: { head: [], border: [], compact: true },
  });
  for (const id of await listImplIds(folder)) {
    const { name, class: implClass, language, framework, driver, jwt } =
      (await discoverImpl(folder, id)).manifest;
    table.push([id, name, implClass, language, framework, driver, jwt]);
  }
  return table.toString();
}

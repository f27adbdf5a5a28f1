/** What an implementation is: its folder, and what its `impl.toml` says. */
import { z } from "zod";
import { implClassSchema } from "../results/result_schema.ts";
import { toolchainNames } from "./ecosystems/names.ts";

const text = z.string().min(1);
const command = z.array(text).min(1);

export const manifestSchema = z.strictObject({
  name: text,
  language: text,
  runtime: text,
  framework: text,
  driver: text,
  jwt: text,
  class: implClassSchema,
  website: z.url(),
  note: text.optional(),
  build: command,
  start: command,
  requires: z.partialRecord(z.enum(toolchainNames), text),
});

/** What an `impl.toml` says. */
export type Manifest = z.infer<typeof manifestSchema>;

/** One implementation: its id is its folder's name. */
export interface Impl {
  id: string;
  folder: string;
  manifest: Manifest;
}

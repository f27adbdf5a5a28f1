import { fromFileUrl } from "@std/path";

/** The repository's root. */
export const repositoryRoot = fromFileUrl(new URL("../..", import.meta.url)).replace(/\/$/, "");

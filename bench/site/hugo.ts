/**
 * What a build of the site gives to Hugo's runtime: it collects garbage less often, since nearly all that a build
 * makes lives as long as one page, but as often as it takes to stay near 1 GiB; and its cache of what it read, which no page needs
 * twice, may hold 0.3 GB.
 */
export const hugoEnvironment = { GOGC: "400", GOMEMLIMIT: "1GiB", HUGO_MEMORYLIMIT: "0.3" };

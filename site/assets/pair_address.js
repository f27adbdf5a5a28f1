// @ts-check
/** Where a pair has its page. Without imports: the harness writes the pages, and a script leads to them. */

/**
 * Returns the address of the page of two implementations of a scenario, relative to the site's; whichever is first.
 *
 * @param {string} scenario
 * @param {string} a
 * @param {string} b
 */
export function pairAddress(scenario, a, b) {
  return `compare/${scenario}/${[a, b].sort().join("-or-")}/`;
}

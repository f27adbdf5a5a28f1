/** What tests must not hold against a server: what else happens on the machine that they run on. */
const ofMachine =
  /(\d+ of \d+ rounds are left out, expected at most 25 %; the first: )?(other processes used|the hypervisor took|the machine swapped) [^;]*/g;

/** Returns the reasons why a load is invalid, without those that lie with the machine; "" if none is left. */
export function withoutMachine(reasons: string): string {
  return reasons.replaceAll(ofMachine, "").replaceAll(/^(; )+|(; )+$/g, "");
}

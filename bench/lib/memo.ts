/**
 * Returns a function that computes its value once for each list of arguments, and keeps it. For functions of a few
 * numbers that take few values, such as counts of rounds: nothing is forgotten.
 */
export function memo<Numbers extends number[], Value>(
  compute: (...numbers: Numbers) => Value,
): (...numbers: Numbers) => Value {
  const known = new Map<string, Value>();
  return (...numbers) => {
    const key = numbers.join();
    if (!known.has(key)) known.set(key, compute(...numbers));
    return known.get(key) as Value;
  };
}

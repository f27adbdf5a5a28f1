/** Returns a value as its file has it: without keys that are undefined. */
export function asWritten<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
